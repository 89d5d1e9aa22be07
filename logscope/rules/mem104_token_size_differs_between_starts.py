"""Starts of one model use different numbers of bytes for a token.

What it says
    Two launches of this log load the same model with the same arguments, and the bytes of one KV token cannot be equal.

Why it matters
    The cell size depends on the model, the KV dtype and the parallel sizes only. Where it changes, one of these did;
    where it is constant, a pool of another size is explained by memory, not by the server.

Example
    24.25 GiB ÷ 227,022 and 33.39 GiB ÷ 312,581 tokens are both 114,688 bytes: the same model, dtype and backend.

Silent when
    There is one launch, or the arguments that shape a token differ.

Source
    `ModelRunner.get_cell_size` and its successors (`model_executor/pool_configurator.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from logscope.errors import FactMissing, NotChecked
from logscope.facts import pools
from logscope.finding import Finding, Gap
from logscope.launch import Launch
from logscope.quantity import Quantity

SEVERITY = "warning"
KIND = "mismatch"
_SHAPING = (
    "model_path",
    "tp_size",
    "pp_size",
    "kv_cache_dtype",
    "dtype",
    "attention_backend",
    "speculative_algorithm",
    "page_size",
)


def check(launches: Sequence[Launch]) -> list[Finding]:
    """Each launch against the one before it that loaded the same model in the same way."""
    known = [(launch, cell) for launch in launches for cell in _cells(launch)]
    pairs = [(a, b) for a, b in pairwise(known) if _alike(a[0], b[0])]
    if not pairs:
        raise FactMissing("no two launches of the same model print the bytes of a token")
    return [_finding(a, b) for a, b in pairs if a[1].interval.disjoint(b[1].interval)]


def _cells(launch: Launch) -> list[Quantity]:
    for name in launch.ranks:
        try:
            return [pools.bytes_per_token(launch.rank(name))]
        except NotChecked:
            continue
    return []


def _alike(a: Launch, b: Launch) -> bool:
    return bool(a.arguments) and all(a.arguments.get(name) == b.arguments.get(name) for name in _SHAPING)


def _finding(a: tuple[Launch, Quantity], b: tuple[Launch, Quantity]) -> Finding:
    gap = abs(a[1].interval.mid - b[1].interval.mid)
    explained = (a[1].interval.width + b[1].interval.width) / 2
    lines = tuple(row.ref for launch in (a[0], b[0]) for row in (launch.rows("kv_pool") or launch.rows("mlx_pool"))[:1])
    return Finding(
        message=f"A token takes {a[1].value:,.0f} bytes in launch {a[0].id} and {b[1].value:,.0f} in launch {b[0].id} with the same model and arguments.",
        evidence=lines,
        observed=b[1],
        computed=a[1],
        gap=Gap(gap, explained, "bytes"),
        launches=(a[0].id, b[0].id),
    )
