"""Builds as processes: followed, refused twice, stopped, and told plainly when they fail."""

import json
import sys
import threading
import time

import pytest

from engine.errors import Busy
from engine.store.workspace import Workspace
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
        assert expected in seen[0].fault


def test_an_ended_build_can_be_put_away_and_a_running_one_cannot(jobs):
    number, ended, _ = run(jobs, END)
    assert ended.wait(60)
    until(lambda: not jobs.all()[0].running)
    jobs.put_away(number)
    assert jobs.all() == ()
    number, _, _ = run(jobs, WAIT)
    jobs.put_away(number)
    assert len(jobs.all()) == 1


def test_noise_on_the_output_is_passed_over(jobs):
    _, ended, seen = run(jobs, "print('hello')\nprint('{broken')\n" + END)
    assert ended.wait(60)
    assert json.dumps(seen[0].result) == '{"name": "x", "report": {}}'
