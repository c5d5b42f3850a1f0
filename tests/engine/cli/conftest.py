import json

import pytest

from engine.cli import main


@pytest.fixture
def call(kites, workspace, monkeypatch, capsys):
    """Runs the command line on a workspace that has the collection `kites`: exit code, output, error output."""
    monkeypatch.setenv("RANKSCOPE_HOME", str(workspace.root))

    def run(*arguments):
        code = main(arguments)
        out, err = capsys.readouterr()
        return code, out, err

    return run


@pytest.fixture
def data(call):
    """The JSON object that a command prints, which must succeed."""

    def run(*arguments):
        code, out, err = call(*arguments, "--json")
        assert (code, err) == (0, "")
        return json.loads(out)

    return run
