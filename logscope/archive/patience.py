"""An end to what takes too long, in whichever thread it runs."""

from __future__ import annotations

import contextlib
import ctypes
import threading
from collections.abc import Iterator


class TimeUp(BaseException):
    """The time of one log is over; not an Exception, for a rule's defect is caught as one on the way up."""


@contextlib.contextmanager
def within(seconds: float | None) -> Iterator[None]:
    """Raise TimeUp in this thread after so many seconds, at its next step of Python; None waits for ever.

    A signal would reach the main thread only, and the workers of a cluster run their tasks in others.
    """
    if seconds is None:
        yield
        return
    alarm = _Alarm(threading.get_ident())
    timer = threading.Timer(seconds, alarm.ring)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        alarm.stop()


class _Alarm:
    def __init__(self, thread: int) -> None:
        self._thread = ctypes.c_ulong(thread)
        self._lock = threading.Lock()
        self._stopped = False

    def ring(self) -> None:
        with self._lock:
            if not self._stopped:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(self._thread, ctypes.py_object(TimeUp))

    def stop(self) -> None:
        """Ring no more, and take back what has not been heard yet."""
        with self._lock:
            self._stopped = True
            ctypes.pythonapi.PyThreadState_SetAsyncExc(self._thread, None)
