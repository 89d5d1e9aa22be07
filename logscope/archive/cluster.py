"""Dask workers as an executor: the same plan on other machines; needs the extra `cluster` (distributed).

Workers need nothing but the package, and the archive under the same paths. A lost worker's work is done again by
another; what kills three of them is recorded as failed. The store is written by the process that runs the scan, so that
no result is kept twice.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from typing import Any

from logscope.archive.run import cores
from logscope.errors import UsageError
from logscope.version import VERSION

_ANSWER_S = 30  # how long a scheduler may take to answer


@contextlib.contextmanager
def connected(
    address: str, workers: int | None, max_memory_bytes: int | None
) -> Iterator[tuple[Callable[[], Executor], int]]:
    """A maker of executors on the cluster at this address (`local` starts one), and how many workers it has.

    Raises UsageError when distributed is not installed, or when nothing answers at the address.
    """
    try:
        from distributed import Client, LocalCluster
    except ImportError as missing:
        raise UsageError("--cluster needs Dask; install logscope[cluster]") from missing
    logging.getLogger("distributed").setLevel(logging.ERROR)
    with contextlib.ExitStack() as stack:
        if address == "local":
            cluster = LocalCluster(
                n_workers=workers or cores(),
                threads_per_worker=1,
                processes=True,
                memory_limit=max_memory_bytes or 0,
                dashboard_address=None,
            )
            address = stack.enter_context(cluster).scheduler_address
        try:
            client = stack.enter_context(Client(address, timeout=_ANSWER_S, set_as_default=False))
        except (OSError, ValueError) as error:
            raise UsageError(f"no Dask scheduler answers at {address}: {error}") from error
        _same_release(client)
        yield lambda: _Cluster(client), max(len(client.scheduler_info(n_workers=-1)["workers"]), 1)


def _same_release(client: Any) -> None:
    """Raises UsageError when a worker has another release, or none: its rows would not be those of a local scan."""
    try:
        told: dict[str, str] = client.run(_release)
    except ImportError as missing:
        raise UsageError(f"a Dask worker cannot load logscope: {missing}; install {VERSION} there") from missing
    others = sorted(f"{worker} has {release}" for worker, release in told.items() if release != VERSION)
    if others:
        raise UsageError(f"all Dask workers need logscope {VERSION}; {', '.join(others[:5])}")


def _release() -> str:
    """The release of the process that runs this: a function is sent by its name, not by its code."""
    return VERSION


class _Cluster(Executor):
    """One round of work on a cluster; shutting it down leaves the cluster as it is."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._executor = client.get_executor(pure=False, retries=2)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = self._executor.submit(fn, *args, **kwargs)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002
        self._executor.shutdown(wait=wait)
