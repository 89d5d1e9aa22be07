"""The last batch before a failure, of the ranks that share their requests with the one that failed.

Replicas of data parallelism print batches of their own: one's usage says nothing of another's pool, and those that live
go on printing after a failure.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator

from logscope.errors import FactMissing
from logscope.facts import batches
from logscope.facts.failures import Failure
from logscope.facts.phases import time_of
from logscope.facts.sequence import before
from logscope.launch import Launch, Row

_REPLICA = re.compile(r"\bDP\d+")
_MOST_LOOKED_AT = 256  # lines, from the end: what lies farther back is not the batch that failed


def last_batches(launch: Launch, table: str, failure: Failure) -> Iterator[Row]:
    """The lines of batches before the failure, the nearest first, as far as they are looked at."""
    ranks = _sharing_requests(launch, failure.rank)
    for place in range(min(launch.table(table).num_rows, _MOST_LOOKED_AT)):
        row = batches.row(launch, table, -1 - place)
        if row.rank in ranks and before(launch, (row.ref, time_of(row)), (failure.ref, failure.time)):
            yield row


def last_batch(launch: Launch, table: str, failure: Failure) -> Row:
    """The line of a batch nearest before the failure. Raises FactMissing where none is of its replica."""
    for row in last_batches(launch, table, failure):
        return row
    raise FactMissing(f"no {table} line of the replica of {failure.rank} stands before its failure")


def last_of_both(launch: Launch, failure: Failure) -> Row:
    """The prefill or decode line nearest before the failure. Raises FactMissing where none is of its replica."""
    found = []
    for table in ("prefill_batch", "decode_batch"):
        with contextlib.suppress(FactMissing):
            found.append(last_batch(launch, table, failure))
    if not found:
        raise FactMissing(f"no batch of the replica of {failure.rank} stands before its failure")
    one, *others = found
    return others[0] if others and before(launch, (one.ref, time_of(one)), (others[0].ref, time_of(others[0]))) else one


def _sharing_requests(launch: Launch, failed: str) -> set[str]:
    """The ranks that serve the same requests; a failure of a process without a rank may be any replica's."""
    if failed in launch.ranks and launch.rank(failed).table("decode_batch").num_rows:
        return {failed}
    replicas = {rank: found[0] if (found := _REPLICA.search(rank)) else "" for rank in launch.ranks}
    own = _REPLICA.search(failed)
    if own is not None:
        return {rank for rank, replica in replicas.items() if replica == own[0]}
    return set(replicas) if len({*replicas.values()} - {""}) <= 1 else set()
