"""Ctrl-C where it would leave something half done: it waits, or is not heard at all."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from typing import Any


@contextlib.contextmanager
def unbroken() -> Iterator[None]:
    """Ctrl-C waits for the end of the body: a process that is half started is known to nobody who could end it."""
    before = _handler()
    if before is None:
        yield
        return
    came: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if came:
            signal.raise_signal(signal.SIGINT)


@contextlib.contextmanager
def deaf() -> Iterator[None]:
    """What is started in the body does not hear Ctrl-C, not even while it loads: it inherits that."""
    before = _handler()
    if before is None:
        yield
        return
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _handler() -> Any:
    """What answers Ctrl-C; None where it may not be changed."""
    here = threading.current_thread() is threading.main_thread()
    return signal.getsignal(signal.SIGINT) if here else None
