"""The one error family that reaches users: a message that says what is wrong, a hint that says what to do next."""


class RankScopeError(Exception):
    """A fault that a user can act on. `message` names the thing and the value; `hint` names the next step.

    Everything else that escapes the engine is a defect and stays loud.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


def shortened(text: str, most: int = 80) -> str:
    """The text as an error quotes it: its start, where it is long."""
    return text if len(text) <= most else f"{text[:most]}…"


class UnknownName(RankScopeError):
    """A name (collection, chunk, encoder, measure, …) that does not exist."""


class BadInput(RankScopeError):
    """A file, value or argument that cannot be used as it stands."""


class StaleIndex(RankScopeError):
    """An index that was made from other texts, another analyser or another encoder than it is asked to serve."""


class Unavailable(RankScopeError):
    """A part that cannot answer just now: a package that is not installed, an encoder that is not there."""


class Busy(RankScopeError):
    """Another process holds what is asked for, such as the build of the same collection."""
