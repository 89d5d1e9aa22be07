"""The standard streams as a shell hands them over, some of them closed (`>&-`)."""

from __future__ import annotations

import os
import sys


def fill_closed() -> None:
    """Occupy what is closed, or the next file that is opened takes its number, and then gets what is meant for it.

    What reads stdin or writes stdout is told "Bad file descriptor", as any program is; what goes to stderr is lost.
    """
    if sys.stdin is None:
        sys.stdin = open(_taken(0, os.O_WRONLY), closefd=False)  # noqa: SIM115  as long as the process
    if sys.stdout is None:
        sys.stdout = open(_taken(1, os.O_RDONLY), "w", closefd=False)  # noqa: SIM115  as above
    if sys.stderr is None:
        sys.stderr = open(_taken(2, os.O_WRONLY), "w", closefd=False)  # noqa: SIM115  as above


def _taken(number: int, flags: int) -> int:
    opened = os.open(os.devnull, flags)
    if opened != number:
        os.dup2(opened, number)
        os.close(opened)
    return number
