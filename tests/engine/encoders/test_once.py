import threading

import pytest

from engine.encoders.once import Once


def test_threads_that_ask_together_share_one_value():
    made, start = [], threading.Barrier(8)
    once = Once(lambda: made.append(object()) or made[-1])
    got = []

    def ask():
        start.wait()
        got.append(once())

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1
    assert got == made * 8


def test_a_failure_is_not_kept():
    answers = iter([ValueError("not yet"), None])

    def make():
        error = next(answers)
        if error is not None:
            raise error
        return 7

    once = Once(make)
    with pytest.raises(ValueError, match="not yet"):
        once()
    assert once() == 7
