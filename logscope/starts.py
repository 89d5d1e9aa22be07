"""One start of a server as predictions and comparisons take it: found by its name, with what its log tells of sizing.

Names are `crash.log#1` for the second launch of a file and `crash.log#1/TP3` for a rank of it; without a number the
launch is the one that the verdict is about.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from logscope import sizing
from logscope.errors import FactMissing, NotChecked, UsageError
from logscope.facts import batches, memory, pools
from logscope.launch import Launch, Rank
from logscope.log import Log
from logscope.quantity import Interval, LineRef, Quantity
from logscope.redact import mask_arguments
from logscope.relations import Setting
from logscope.sglang import cells, models
from logscope.solve import propagate

_NAME = re.compile(r"(?P<path>.+?)#(?P<launch>\d+)(?:/(?P<rank>[A-Z][A-Z0-9_ ]*\d))?")
REFUSING = "budget_refused"


@dataclass(frozen=True, slots=True)
class Named:
    """A start as a person names it; `launch` and `rank` are absent where the name leaves them open."""

    path: str
    launch: int | None = None
    rank: str | None = None


@dataclass(frozen=True, slots=True)
class Start:
    """One start: its name, the quantities and the setting for the relations, and its arguments, masked."""

    name: str
    rank: Rank
    facts: Mapping[str, Quantity]
    setting: Setting
    arguments: Mapping[str, Any]

    @property
    def refused(self) -> bool:
        """Whether the log shows that this start was refused for lack of a budget."""
        return any(row.get("pool", "kv") == "kv" for row in self.rank.launch.rows(REFUSING))


def named(text: str) -> Named:
    """`crash.log#1/TP3` taken apart; a file that exists under the whole name is that file."""
    found = _NAME.fullmatch(text)
    if found is None or Path(text).exists():
        return Named(text)
    return Named(found["path"], int(found["launch"]), found["rank"])


def start(log: Log, which: Named, *, preferred: int = 0) -> Start:
    """The start that a name means; `preferred` is the launch where the name says none.

    Raises UsageError for a launch or a rank that the log does not have, FactMissing for a launch without ranks.
    """
    number = preferred if which.launch is None else which.launch
    if not 0 <= number < len(log.launches):
        raise UsageError(f"{which.path} has {len(log.launches)} launches, numbered from 0; {number} is not among them")
    launch = log.launches[number]
    rank = _rank(launch, which)
    facts, setting = facts_of(rank, log.launches), sizing.setting_of(rank)
    name = f"{which.path}#{number}" + (f"/{rank.name}" if which.rank else "")
    return Start(name, rank, facts, _completed(setting, rank, facts), mask_arguments(launch.arguments))


def _rank(launch: Launch, which: Named) -> Rank:
    ranks = [name for name in launch.ranks if name != "main"]
    if which.rank is not None:
        if which.rank not in ranks:
            raise UsageError(f"launch {launch.id} of {which.path} has the ranks {', '.join(ranks)}; not {which.rank}")
        return launch.rank(which.rank)
    if not ranks:
        raise FactMissing(f"launch {launch.id} of {which.path} shows no rank, so nothing of its memory")
    # The rank with the least memory sizes the pool of all.
    return launch.rank(min(ranks, key=lambda name: (_least(launch.rank(name)), ranks.index(name))))


def _least(rank: Rank) -> float:
    try:
        return memory.available_after_load(rank).interval.lo
    except FactMissing:
        return math.inf


def facts_of(rank: Rank, launches: Sequence[Launch]) -> dict[str, Quantity]:
    """All quantities of a start that predictions read, named as in the relations.

    Bytes of a token that the start itself does not tell come from another start of the same model in the log, else from
    the published shape of the model; the equation says from which.
    """
    found = sizing.facts_of(rank)
    for name, read in READERS.items():
        try:
            found[name] = read(rank).named(name)
        except NotChecked:
            continue
    printed = "cell_size" in found
    own = None if printed else _divided(found)
    for source in () if printed else (_cell_of_shape, _cell_of_neighbour):
        try:
            cell = source(rank, launches)
        except NotChecked:
            continue
        # Where the start shows its own pool, that decides whether the shape is the right one.
        if own is None or not own.disjoint(cell.interval):
            found["cell_size"] = cell
            break
    return found


def _divided(facts: Mapping[str, Quantity]) -> Interval | None:
    if not {"kv_pool", "max_total_num_tokens"} <= set(facts):
        return None
    page = facts["page_size"].interval if "page_size" in facts else Interval(1, 64)
    slots = facts["max_total_num_tokens"].interval + page
    return facts["kv_pool"].interval * 2.0**30 / slots if slots.lo > 0 else None


def _chunk(rank: Rank) -> Quantity:
    value = rank.launch.argument("chunked_prefill_size")
    if not isinstance(value, int) or value <= 0:
        raise FactMissing("chunked prefill is off")
    return Quantity.exact("chunked_prefill_size", value, "tokens", line=rank.launch.arguments_line)


def _running(rank: Rank) -> Quantity:
    """The most requests that ran at once, where each owns private buffers: on MLX."""
    if not rank.rows("mlx_pool"):
        raise FactMissing("requests own no private buffers on this backend")
    most = max(batches.column(rank, "decode_batch", "running_requests"))
    return Quantity.exact("running_requests", float(most), "requests", rank=rank.name)


def _draft_weights(rank: Rank) -> Quantity:
    """The weights of models that are loaded behind the target's pool, so from what the fraction leaves."""
    loads = memory.loads(rank)
    if len(loads) < 2:
        raise FactMissing(f"{rank.name} loaded no second model")
    behind = loads[len(memory.loads_before_pool(rank)) :]
    ends = [(load.begin.quantity("avail_mem_gib"), load.end.quantity("avail_mem_gib")) for load in behind]
    total = sum((begin.interval - end.interval for begin, end in ends), start=Interval.exact(0))
    return Quantity.computed("draft_weights", total, "GiB", "avail_before_load − avail_after_load (draft)", rank.name)


READERS: Mapping[str, Callable[[Rank], Quantity]] = {
    "draft_weights": _draft_weights,
    "draft_pool": pools.draft_size,
    "graph_memory": memory.graph_memory,
    "chunked_prefill_size": _chunk,
    "running_requests": _running,
}
POOL = ("kv_pool", "max_total_num_tokens", "page_size")
ALIKE = ("model_path", "tp_size", "kv_cache_dtype", "dtype", "enable_dp_attention", "dp_size")
"""The arguments that must agree before two starts have the same bytes of a token."""


def _cell_of_neighbour(rank: Rank, launches: Sequence[Launch]) -> Quantity:
    own = rank.launch.arguments
    for launch in launches:
        alike = all(launch.arguments.get(name) == own.get(name) for name in ALIKE)
        if launch.id == rank.launch.id or not alike or rank.name not in launch.ranks:
            continue
        other = launch.rank(rank.name)
        facts = {name: fact for name, fact in sizing.facts_of(other).items() if name in POOL}
        solved = propagate(facts, sizing.applied_to(other).relations).values
        if "cell_size" in solved and solved["cell_size"].interval.finite:
            equation = f"the pool of launch {launch.id}: {solved['cell_size'].equation}"
            return replace(solved["cell_size"], equation=equation, line=facts["kv_pool"].line)
    raise FactMissing("no other start of this model in the log shows a pool")


def _cell_of_shape(rank: Rank, _launches: Sequence[Launch]) -> Quantity:
    arguments = rank.launch.arguments
    shape = models.named(str(arguments.get("model_path", "")))
    cache = cells.Cache(dtype=element_type(rank), attention_tp=_attention_ranks(arguments))
    size = rank.launch.release.ask(lambda release: cells.stored_bytes(release, shape, cache))
    equation = f"the published shape of {shape.name} in {cache.dtype}"
    cell = Quantity.computed("cell_size", Interval.exact(size), "bytes/token", equation, rank.name)
    return replace(cell, line=_line(rank))


def _line(rank: Rank) -> LineRef | None:
    try:
        return rank.launch.arguments_line
    except FactMissing:
        return None


def _attention_ranks(arguments: Mapping[str, Any]) -> int:
    ranks = int(arguments.get("tp_size") or 1)
    if not arguments.get("enable_dp_attention"):
        return ranks
    return max(1, ranks // int(arguments.get("dp_size") or 1))


TYPES = {"float8_e4m3": "fp8_e4m3", "float8_e5m2": "fp8_e5m2", "float16": "float16", "float32": "float32"}


def element_type(rank: Rank) -> str:
    """The type of an element of the KV cache: as the pool's line says, else the argument, else bfloat16."""
    said = [str(row["dtype"]) for row in rank.rows("kv_pool") if row.get("dtype") is not None]
    text = said[0] if said else str(rank.launch.arguments.get("kv_cache_dtype", "auto"))
    if text in cells.ELEMENT_BYTES:
        return text
    return next((name for word, name in TYPES.items() if word in text), "bfloat16")


def _completed(setting: Setting, rank: Rank, facts: Mapping[str, Quantity]) -> Setting:
    page = 0.0
    if "page_size" in facts and "cell_size" in facts and facts["page_size"].value > 1:
        page = facts["page_size"].value * facts["cell_size"].interval.hi / 2**30
    return replace(setting, kv_bytes=cells.element_bytes(element_type(rank)), page_gib=page)
