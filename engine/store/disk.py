"""What the disk refuses, in words."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from engine.errors import RankScopeError

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_CLOSED = frozenset({errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.ENOENT, errno.EEXIST})
_NO_FAULT_OF_THE_DISK = frozenset({None, errno.EPIPE, errno.EINTR})


@contextmanager
def told_plainly(failed: str, hint: str = "What was there before is unchanged.") -> Iterator[None]:
    """Turn the disk's refusals into words; every other fault stays what it is.

    `failed` says what could not be done, as in `'kites' could not be renamed`.
    """
    try:
        yield
    except OSError as error:
        if error.errno in _FULL or "requested and" in str(error):  # numpy's words where a write falls short
            raise RankScopeError(f"The disk is full, so {failed}.", f"Free some space and try again. {hint}") from error
        if error.errno in _CLOSED:
            raise RankScopeError(
                f"{error.filename or 'The workspace'} cannot be written to, so {failed}.",
                "Check its permissions, or set RANKSCOPE_HOME to another folder.",
            ) from error
        if error.errno in _NO_FAULT_OF_THE_DISK:
            raise
        raise RankScopeError(f"{failed[0].upper()}{failed[1:]}: {error.strerror}.", f"Try again. {hint}") from error
