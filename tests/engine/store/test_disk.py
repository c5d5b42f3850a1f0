import errno

import pytest

from engine.errors import BadInput, RankScopeError
from engine.store.disk import told_plainly


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "The disk is full, so 'red' could not be built"),
        (OSError(errno.EFBIG, "File too large"), "The disk is full"),
        (OSError("90 requested and 12 written"), "The disk is full"),
        (PermissionError(errno.EACCES, "Permission denied", "/x/y"), "/x/y cannot be written to, so 'red' could not"),
        (OSError(errno.ENOTEMPTY, "Directory not empty"), "'red' could not be built: Directory not empty. Try again"),
        (OSError(errno.EIO, "Input/output error"), "'red' could not be built: Input/output error"),
    ],
)
def test_what_the_disk_refuses_is_told(fault, words):
    with pytest.raises(RankScopeError, match=words), told_plainly("'red' could not be built"):
        raise fault


@pytest.mark.parametrize(
    "fault", [InterruptedError("stopped"), BrokenPipeError(errno.EPIPE, "x"), ValueError("x"), BadInput("x")]
)
def test_what_is_no_fault_of_the_disk_stays_what_it_is(fault):
    with pytest.raises(type(fault)), told_plainly("'red' could not be built"):
        raise fault
