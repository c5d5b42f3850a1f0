"""Long work as processes of `python -m engine`: started once, watched by every session, stopped when asked."""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import IO, Any, Literal

from engine.errors import Busy, RankScopeError
from engine.store.workspace import Workspace

State = Literal["running", "stopping", "done", "failed", "stopped"]
ROOT = Path(__file__).resolve().parents[2]
COMMAND = (sys.executable, "-m", "engine")

_PATIENCE = 10.0
"""Seconds that a process has to end by itself once it is asked to."""
_ASK = signal.SIGTERM if os.name == "nt" else signal.SIGINT


@dataclass(frozen=True, slots=True)
class Watched:
    """How a build stands. `result` is what the command line printed at its end, `fault` why there is none."""

    number: int
    name: str
    started: float
    state: State = "running"
    stage: str = "start"
    done: int = 0
    total: int = 0
    stage_started: float = 0.0
    ended: float | None = None
    result: Mapping[str, Any] | None = None
    fault: str = ""

    @property
    def running(self) -> bool:
        """Whether the process is there."""
        return self.state in ("running", "stopping")

    @property
    def seconds(self) -> float:
        """How long it has been running, or ran."""
        return (self.ended or monotonic()) - self.started


class Job:
    """One process and what it has said so far; any thread may read `now`, which is replaced only under a lock."""

    def __init__(self, number: int, name: str, command: Sequence[str], environment: Mapping[str, str]) -> None:
        now = monotonic()
        self.now = Watched(number, name, now, stage_started=now)
        self._changing = threading.Lock()
        self._said: IO[str] = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115
        self._process = subprocess.Popen(
            [*command],
            cwd=ROOT,
            env={**environment, "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self._said,
            encoding="utf-8",
            errors="replace",
        )

    def follow(self, ended: Callable[[Watched], None]) -> None:
        """Reads what the process says until it ends, and calls `ended` before others hear of it. For its own thread."""
        result: Mapping[str, Any] | None = None
        try:
            result = self._listen()
        finally:  # whatever was said, a build that is over is told to be
            end = self._end(self._process.wait(), result)
            try:
                ended(end)
            finally:
                self._change(lambda now: end)

    def _listen(self) -> Mapping[str, Any] | None:
        """The result that the process prints; its progress is noted, other lines are passed over."""
        result: Mapping[str, Any] | None = None
        with self._process:
            for line in self._process.stdout or ():
                match _read(line):
                    case {"stage": str(stage), "done": int(done), "total": int(total)}:
                        self._step(stage, done, total)
                    case {"report": dict()} as said:
                        result = said
        return result

    def stop(self) -> None:
        """Asks the process to end; ends it where it does not within a few seconds."""
        if not self.now.running:
            return
        self._change(lambda now: replace(now, state="stopping") if now.running else now)
        self._process.send_signal(_ASK)
        reminder = threading.Timer(_PATIENCE, self._process.kill)
        reminder.daemon = True
        reminder.start()

    def kill(self) -> None:
        """Ends the process at once, if it is still there."""
        if self._process.poll() is None:
            self._process.kill()

    def _change(self, step: Callable[[Watched], Watched]) -> None:
        with self._changing:
            self.now = step(self.now)

    def _step(self, stage: str, done: int, total: int) -> None:
        def step(now: Watched) -> Watched:
            began = monotonic() if stage != now.stage else now.stage_started
            return replace(now, stage=stage, done=done, total=total, stage_started=began)

        self._change(step)

    def _end(self, code: int, result: Mapping[str, Any] | None) -> Watched:
        now = self.now
        state: State = "done" if code == 0 else "stopped" if now.state == "stopping" else "failed"
        fault = self._reason(code) if state == "failed" else ""
        self._said.close()
        return replace(now, state=state, result=result, fault=fault, ended=monotonic())

    def _reason(self, code: int) -> str:
        self._said.seek(0)
        lines = [line.strip() for line in self._said if line.strip()]
        told = [line.removeprefix("Error: ") for line in lines if line.startswith("Error: ")]
        if code == 2 and told:
            return told[-1]
        last = lines[-1] if lines else "it said nothing"
        return f"The build ended unexpectedly (exit code {code}): {last}. The build in use is unchanged."


def _read(line: str) -> object:
    try:
        return json.loads(line)
    except ValueError:
        return None


class Jobs:
    """The builds of one server. Any thread may ask; one collection has one build at a time."""

    def __init__(self, root: Path, command: Sequence[str] = COMMAND) -> None:
        self._root = root
        self._command = tuple(command)
        self._jobs: dict[int, Job] = {}
        self._done: set[int] = set()
        self._count = 0
        self._lock = threading.Lock()
        atexit.register(self.close)

    def start(self, name: str, arguments: Sequence[str], then: Callable[[Watched], None] | None = None) -> int:
        """Starts a build of the collection `name` and gives its number; `Busy` where one is running already.

        `then` is called, in the thread of the build, when it has ended, however it did, and before `all` tells of it.
        """
        with self._lock:
            if any(job.now.name == name and job.now.running for job in self._jobs.values()):
                raise Busy(f"The collection {name!r} is being built already.", "Wait until it is done, or stop it.")
            for number in [number for number, job in self._jobs.items() if job.now.name == name]:
                del self._jobs[number]
            self._count += 1
            environment = {**os.environ, "RANKSCOPE_HOME": str(self._root)}
            job = Job(self._count, name, [*self._command, *arguments], environment)
            self._jobs[self._count] = job

        def ended(end: Watched) -> None:
            if end.state == "done":
                self._done.add(end.number)
            else:
                self._clear(name)
            if then is not None:
                then(end)

        threading.Thread(target=job.follow, args=(ended,), name=f"build {name}", daemon=True).start()
        return job.now.number

    def all(self) -> tuple[Watched, ...]:
        """Every build that runs, and every ended one that nobody has put away, in the order in which they started."""
        with self._lock:
            return tuple(job.now for job in self._jobs.values())

    def running(self, name: str) -> Watched | None:
        """The running build of a collection, if there is one."""
        return next((watched for watched in self.all() if watched.name == name and watched.running), None)

    def succeeded(self, number: int) -> bool:
        """Whether a build has ended well, put away or not."""
        return number in self._done

    def stop(self, number: int) -> None:
        """Asks a build to end; nothing where it has ended."""
        if (job := self._jobs.get(number)) is not None:
            job.stop()

    def put_away(self, number: int) -> None:
        """Forgets a build that has ended."""
        with self._lock:
            if number in self._jobs and not self._jobs[number].now.running:
                del self._jobs[number]

    def close(self) -> None:
        """Ends what is running, for the end of the server."""
        for job in tuple(self._jobs.values()):
            job.kill()

    def _clear(self, name: str) -> None:
        """Removes what a killed build left; whoever builds the same collection by now clears for itself."""
        workspace = Workspace(self._root)
        with suppress(RankScopeError, OSError), workspace.changing(name):
            for partial in workspace.folder(name).glob("*.partial"):
                workspace.discard(name, partial)
