"""An 8-bit KV cache does not halve the bytes of a token.

What it says
    Two starts of one model differ in kv_cache_dtype, and a token takes more than 0.55 of the bytes.

Why it matters
    Twice the tokens are expected. Scales and the index of sparse attention take part of it; where nothing changes,
    the flag had no effect.

Example
    70,272 bytes before, 43,188 with fp8: 0.61.

Silent when
    No two such starts, or the token takes half.

Source
    `ModelRunner.configure_kv_cache_dtype`, `pool_configurator.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from logscope.errors import FactMissing, NotChecked
from logscope.facts import pools
from logscope.facts.starts_of_model import pairs
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.quantity import LineRef, Quantity
from logscope.rules._compared import compared

SEVERITY = "note"
KIND = "smell"


def check(launches: Sequence[Launch]) -> Finding | None:
    """The first two starts that show it."""
    judged = 0
    for a, b in pairs(launches, apart_from="kv_cache_dtype"):
        kinds = [str(launch.arguments.get("kv_cache_dtype")).startswith("fp8") for launch in (a, b)]
        if kinds[0] == kinds[1]:
            continue
        wide, narrow = (b, a) if kinds[0] else (a, b)
        try:
            large, small = _cell(wide), _cell(narrow)
        except NotChecked:
            continue
        judged += 1
        share = small.interval / large.interval
        if share.lo > 0.55:
            message = f"A token takes {small.value:,.0f} bytes with {narrow.arguments['kv_cache_dtype']} and {large.value:,.0f} without: {share.mid:.2f} in place of a half."
            made = compared(
                message,
                small,
                large.interval * 0.5,
                "half of the bytes of the other start",
                *_lines(wide),
                *_lines(narrow),
            )
            return replace(made, launches=(a.id, b.id))
    if not judged:
        raise FactMissing("no two starts differ in the dtype of the cache")
    return None


def _cell(launch: Launch) -> Quantity:
    for name in launch.ranks:
        if launch.rank(name).rows("kv_pool"):
            return pools.bytes_per_token(launch.rank(name))
    raise FactMissing(f"launch {launch.id} prints no pool")


def _lines(launch: Launch) -> list[LineRef]:
    return [row.ref for row in launch.rows("kv_pool") if row.get("kind") == "allocated"][:1]
