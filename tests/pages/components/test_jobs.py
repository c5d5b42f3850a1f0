"""Builds as processes: followed, refused twice, stopped, and told plainly when they fail."""

import json
import sys
import threading
import time
from dataclasses import replace

import pytest

from engine.errors import Busy
from engine.store.workspace import Workspace
from pages.components import jobs as module
from pages.components.jobs import Jobs

STEPS = "import json\nfor n in range(4): print(json.dumps({'stage': 'embedding', 'done': n, 'total': 3}), flush=True)\n"
WAIT = STEPS + "import time\ntime.sleep(60)\n"
END = STEPS + "print(json.dumps({'name': 'x', 'report': {}}))\n"
REFUSE = "import sys\nsys.stderr.write('Error: No such file. Check the path.\\n')\nsys.exit(2)\n"
CRASH = "raise KeyError('lost')\n"


def run(jobs, program, name="x"):
    ended = threading.Event()
    seen = []
    number = jobs.start(name, ["-c", program], lambda end: (seen.append(end), ended.set()))
    return number, ended, seen


def until(condition):
    for _ in range(600):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("It did not happen.")


@pytest.fixture
def jobs(tmp_path):
    jobs = Jobs(tmp_path, command=(sys.executable,))
    yield jobs
    jobs.close()


def test_progress_and_result_are_followed(jobs):
    _, ended, seen = run(jobs, END)
    assert ended.wait(60)
    assert (seen[0].state, seen[0].stage, seen[0].done, seen[0].total) == ("done", "embedding", 3, 3)
    assert seen[0].result["name"] == "x"
    until(lambda: [watched.state for watched in jobs.all()] == ["done"])
    assert jobs.succeeded(seen[0].number)


def test_a_second_build_of_the_same_name_is_refused(jobs):
    run(jobs, WAIT)
    with pytest.raises(Busy, match="'x' is being built already"):
        jobs.start("x", ["-c", END])
    assert jobs.running("x") is not None
    assert jobs.running("y") is None


def test_a_build_can_be_stopped_and_leaves_nothing(jobs, tmp_path):
    workspace = Workspace(tmp_path)
    workspace.new_build("x", "b1")
    number, ended, seen = run(jobs, WAIT)
    until(lambda: jobs.all()[0].stage == "embedding")
    jobs.stop(number)
    assert jobs.all()[0].state in ("stopping", "stopped")
    assert ended.wait(60)
    assert (seen[0].state, seen[0].fault) == ("stopped", "")
    assert not workspace.folder("x").exists()


def test_what_the_user_can_mend_is_told_and_a_defect_names_its_code(jobs):
    for program, expected in ((REFUSE, "No such file. Check the path."), (CRASH, "exit code 1): KeyError: 'lost'")):
        _, ended, seen = run(jobs, program)
        assert ended.wait(60)
        until(lambda: jobs.running("x") is None)
        assert seen[0].state == "failed"
        assert not jobs.succeeded(seen[0].number)
        assert expected in seen[0].fault


def test_an_ended_build_can_be_put_away_and_a_running_one_cannot(jobs):
    number, ended, _ = run(jobs, END)
    assert ended.wait(60)
    until(lambda: not jobs.all()[0].running)
    jobs.put_away(number)
    assert jobs.all() == ()
    assert jobs.succeeded(number)
    number, _, _ = run(jobs, WAIT)
    jobs.put_away(number)
    assert len(jobs.all()) == 1


NOISE = ("hello", "{broken", "3", "null", "[]", '"stage"', '{"stage": "read"}', '{"stage": 1, "done": 0, "total": 1}')


@pytest.mark.parametrize("noise", [*map(repr, NOISE), r"b'\xff\n'"])
def test_noise_on_the_output_is_passed_over(jobs, noise):
    say = f"import sys\nn = {noise}\nsys.stdout.buffer.write(n if isinstance(n, bytes) else n.encode() + b'\\n')\n"
    _, ended, seen = run(jobs, f"{say}sys.stdout.flush()\n{END}")
    assert ended.wait(60)
    assert json.dumps(seen[0].result) == '{"name": "x", "report": {}}'


def test_a_stop_while_progress_is_noted_stays_a_stop(jobs, monkeypatch):
    """The reader thread is held in the middle of noting a step, and the stop comes then."""
    stopping = []

    def replaced(watched, **changes):
        if changes.get("done") == 2 and not stopping:
            stopping.append(threading.Thread(target=jobs.stop, args=(watched.number,)))
            stopping[0].start()
            stopping[0].join(0.3)
        return replace(watched, **changes)

    monkeypatch.setattr(module, "replace", replaced)
    _, ended, seen = run(jobs, WAIT)
    assert ended.wait(60)
    assert (seen[0].state, seen[0].fault) == ("stopped", "")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_result_that_cannot_be_followed_frees_the_name(jobs, monkeypatch):
    def broken(line):
        raise RecursionError(line)

    monkeypatch.setattr(module, "_read", broken)
    _, ended, seen = run(jobs, END)
    assert ended.wait(60)
    until(lambda: jobs.running("x") is None)
    assert not seen[0].running
