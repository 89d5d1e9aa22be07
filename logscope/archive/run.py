"""A plan → outcomes, in the order of the inputs, read by any executor of `concurrent.futures`.

Inputs are begun in windows, the largest of a window first, so that memory does not grow with their number. A worker
that dies takes nobody else's work with it: what was in flight is read again, one by one, and the log that kills its
worker twice, alone, is recorded as failed.
"""

from __future__ import annotations

import functools
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field

from logscope.archive.interruption import deaf, unbroken
from logscope.archive.selection import Found
from logscope.archive.task import Outcome, Settings, failed, outcome_of
from logscope.without_pandas import keep_out_pandas

_AHEAD = 4  # inputs in flight for each worker
_TOO_LARGE = 77  # what a worker says that ends itself for its size
_TRIES_ALONE = 2  # a kernel short of memory kills the innocent as well
_WINDOWS_OPEN = 2  # windows begun before the oldest is done


@dataclass(slots=True)
class _Course:
    """Where a run stands: what is to be begun, what is in flight, and how much of each window is open."""

    windows: Sequence[Sequence[int]]
    flying: dict[Future[Outcome], int] = field(default_factory=dict)
    begun: int = 0  # windows whose inputs were handed out
    waiting: deque[int] = field(default_factory=deque)
    open: dict[int, int] = field(default_factory=dict)  # window → inputs that are not done
    window_of: dict[int, int] = field(default_factory=dict)

    def next(self) -> int | None:
        """The next input to begin; None when all are begun, or the oldest window must be done first."""
        if not self.waiting and self.begun < len(self.windows):
            if self.open and self.begun - min(self.open) >= _WINDOWS_OPEN:
                return None
            self.waiting.extend(self.windows[self.begun])
            self.open[self.begun] = len(self.waiting)
            self.window_of.update(dict.fromkeys(self.waiting, self.begun))
            self.begun += 1
        return self.waiting.popleft() if self.waiting else None

    def done(self, place: int) -> None:
        window = self.window_of.pop(place)
        self.open[window] -= 1
        if not self.open[window]:
            del self.open[window]


def outcomes(
    found: Sequence[Found],
    settings: Settings,
    windows: Sequence[Sequence[int]],
    *,
    executor: Callable[[], Executor],
    workers: int,
) -> Iterator[tuple[int, Outcome]]:
    """The outcome of each input with its place, as they come; `windows` are places in `found`, each window non-empty.

    `executor` makes a new executor: it is asked again when a pool breaks.
    """
    course = _Course(windows)
    pool = executor()
    try:
        while True:
            suspects = _submit(pool, course, found, settings, workers)
            if not course.flying and not suspects:
                return
            for place, outcome in _finished(course, found, settings, suspects):
                course.done(place)
                yield place, outcome
            if suspects:
                stop(pool)
                for place, outcome in _alone(found, suspects, settings, executor):
                    course.done(place)
                    yield place, outcome
                pool = executor()
    finally:
        stop(pool)


def _submit(pool: Executor, course: _Course, found: Sequence[Found], settings: Settings, workers: int) -> list[int]:
    """Keep the workers busy; the input that a broken pool refuses is a suspect like those in flight."""
    while len(course.flying) < workers * _AHEAD:
        place = course.next()
        if place is None:
            break
        try:
            with unbroken():  # the pool may start a process for it
                course.flying[pool.submit(outcome_of, found[place], settings)] = place
        except BrokenProcessPool:
            return [place]
    return []


def _finished(
    course: _Course, found: Sequence[Found], settings: Settings, suspects: list[int]
) -> Iterator[tuple[int, Outcome]]:
    """What is done by now; when the pool broke, all that was in flight becomes suspect."""
    done, _ = wait(course.flying, return_when=FIRST_COMPLETED)
    for future in sorted(done, key=course.flying.__getitem__):
        place = course.flying.pop(future)
        error = future.exception()
        if isinstance(error, BrokenProcessPool):
            suspects.append(place)
        elif error is not None:
            # Dask has tried such an input on several workers by then; its name is all that is known of the error here.
            kind = "worker_lost" if type(error).__name__ == "KilledWorker" else "internal"
            yield place, failed(found[place], settings, kind, f"{found[place].path}: {error}")
        else:
            yield place, future.result()
    if suspects:
        suspects.extend(course.flying.values())
        course.flying.clear()


def _alone(
    found: Sequence[Found], places: Sequence[int], settings: Settings, executor: Callable[[], Executor]
) -> Iterator[tuple[int, Outcome]]:
    """Each of these inputs read with no other beside it, so that the guilty one is known."""
    pool = executor()
    try:
        for place in places:
            for _ in range(_TRIES_ALONE):
                try:
                    with unbroken():
                        begun = pool.submit(outcome_of, found[place], settings)
                    outcome = begun.result()
                    break
                except BrokenProcessPool:
                    stop(pool)
                    pool = executor()
            else:
                why = f"{found[place].path}: its worker passed --max-memory, or was killed"
                outcome = failed(found[place], settings, "worker_lost", why)
            yield place, outcome
    finally:
        stop(pool)


def stop(pool: Executor) -> None:
    """End a pool without waiting for what it still does."""
    processes = list((getattr(pool, "_processes", None) or {}).values())
    with unbroken():
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            if process.is_alive():
                process.terminate()
        for process in processes:
            process.join(5)


def processes(workers: int, max_memory_bytes: int | None) -> Callable[[], Executor]:
    """A maker of pools of processes that load the package once and share it."""
    return functools.partial(_pool, workers, max_memory_bytes)


def _pool(workers: int, max_memory_bytes: int | None) -> Executor:
    method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
    context = multiprocessing.get_context(method)
    if method == "forkserver":
        from multiprocessing import forkserver

        context.set_forkserver_preload(["logscope.archive.warm"])
        with deaf():
            forkserver.ensure_running()
    return ProcessPoolExecutor(workers, mp_context=context, initializer=_begin, initargs=(max_memory_bytes,))


def _begin(max_memory_bytes: int | None) -> None:
    """What a worker does first: it leaves Ctrl-C to its parent, and lives within its memory."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    keep_out_pandas()
    if max_memory_bytes is not None:
        threading.Thread(target=_bounded, args=(max_memory_bytes,), daemon=True).start()


def _bounded(most_bytes: int) -> None:
    """End this process once it is larger than allowed.

    A limit of the kernel (RLIMIT_DATA) would fail whatever asks for memory next, also the start of a thread, and leave
    the one who waits for it waiting for ever.
    """
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    while resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit <= most_bytes:
        time.sleep(0.1)
    os._exit(_TOO_LARGE)


def cores() -> int:
    """The processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
