"""What a rank must have computed while it sized its pools: the facts of its log, the relations that hold for it,
solved.

The engine sizes the pool of every rank from the least free memory of its group of ranks; each rank prints its own. A
rank whose readings are not the least is judged against the least that the log holds, and not at all where ranks of
the group are missing.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from logscope.candidates import Tried, candidates
from logscope.errors import FactMissing, NotApplicable, NotChecked
from logscope.facts import memory, pool_group, pools, settings
from logscope.launch import Launch, Rank
from logscope.quantity import Interval, Quantity
from logscope.readings import readings
from logscope.relations import Applied, Setting, relations_of
from logscope.solve import Solved

SIZING_GROUPS = ("mlx_budget", "static_budget", "weights", "pool_tokens", "pool_end", "request_table")
MOST_REQUESTS = 4096
"""The largest request table that a release makes unasked."""
_MULTIMODAL = re.compile(r"VL|Vision|ConditionalGeneration|Omni|Llava|MiniCPM[VO]", re.IGNORECASE)
_SPARSE = re.compile(r"V32|DeepseekV4|Dsa|Nsa|Sparse", re.IGNORECASE)
_DEVICES = {
    "hip": "rocm",
    "cuda": "cuda",
    "cpu": "cpu",
    "mps": "mps",
    "npu": "npu",
    "xpu": "xpu",
    "hpu": "hpu",
    "musa": "musa",
}


def setting_of(rank: Rank) -> Setting:
    """What decides which formulas hold for this rank. Raises NotApplicable where a hidden modifier is in force."""
    launch = rank.launch
    arguments = launch.arguments
    mlx = launch.has("mlx_pool")
    device = "mps" if mlx else _DEVICES.get(str(arguments.get("device", "cuda")), "cuda")
    rows = rank.rows("kv_pool")
    kinds = {str(row.get("kind", "")) for row in rows}
    if arguments.get("attention_backend") == "aiter":
        raise NotApplicable("the aiter backend changes the fraction behind the printed one")
    found = {
        "state": bool(rank.rows("state_pool")),
        "swa": "split" in kinds,
        "draft": len(memory.loads(rank)) > 1 or bool(arguments.get("speculative_draft_model_path")),
    }
    return Setting(
        release=launch.release,
        device=device,
        mlx=mlx,
        unified=device in ("cpu", "mps") or launch.has("capacity_notice"),
        smallest=_smallest(rank, memory.available_after_load),
        smallest_before=_smallest(rank, memory.available_before_load),
        capped=arguments.get("max_total_tokens") is not None,
        speculative=arguments.get("speculative_algorithm") is not None,
        speculative_room=_speculative_room(launch),
        multimodal=_multimodal(rank),
        post_capture="post_capture" in kinds or "post_capture_note" in kinds,
        virtual="upper_bound" in kinds,
        attention_groups=settings.size(launch, "dp_size") if settings.set_to(launch, "enable_dp_attention") else 1,
        pools=frozenset(name for name, there in found.items() if there),
        draft_first=len(memory.loads_before_pool(rank)) > 1,
        state_given=arguments.get("max_mamba_cache_size") is not None,
        pipeline=(arguments.get("pp_size") or 1) not in (1, None),
        single_pool=_single_pool(rank),
        attention=_attention(rank),
    )


def _speculative_room(launch: Launch) -> int:
    """A tree of draft tokens for each of the most requests, and 100; 0 where the arguments do not tell it."""
    names = ("speculative_num_steps", "speculative_eagle_topk", "speculative_num_draft_tokens")
    try:
        steps, branches, draft = (settings.number(launch, name).value for name in names)
    except FactMissing:
        return 0
    most = max(MOST_REQUESTS, settings.size(launch, "max_running_requests"))
    return int(most * (steps * branches + draft)) + 100


def _single_pool(rank: Rank) -> bool:
    """Whether one line before the end of the pools tells the whole pool, with the tokens that the rank reports."""
    sized = [row for row in rank.rows("kv_pool") if row.get("tokens") is not None and row.get("kind") != "profiled"]
    try:
        tokens = pools.tokens(rank).value
    except FactMissing:
        return len(sized) <= 1
    return all(row["tokens"] == tokens for row in sized)


def _attention(rank: Rank) -> str:
    """`dsa` by the architecture, `mla` where keys and values share a buffer; empty where nothing tells."""
    if any(_SPARSE.search(str(row.get("architecture", ""))) for row in rank.rows("load_weight")):
        return "dsa"
    return "mla" if any(row.get("kv_gib") is not None for row in rank.rows("kv_pool")) else ""


def _multimodal(rank: Rank) -> bool:
    return any(_MULTIMODAL.search(str(row.get("architecture", ""))) for row in rank.rows("load_weight"))


def _known(rank: Rank, fact: Callable[[Rank], Quantity]) -> list[Quantity]:
    """A fact of all ranks of the group that have it; each rank asks for all, so they are read once."""
    ranks = pool_group.group(rank)
    first = ranks[0].name if ranks else ""
    key = f"of the group of {first}:{fact.__module__}.{fact.__qualname__}"
    return rank.launch.kept(key, lambda: list(_read(ranks, fact)))


def _read(ranks: Iterable[Rank], fact: Callable[[Rank], Quantity]) -> Iterator[Quantity]:
    for rank in ranks:
        with contextlib.suppress(FactMissing):
            yield fact(rank)


def _smallest(rank: Rank, reading: Callable[[Rank], Quantity]) -> bool:
    """Whether this rank's reading is the least of its group, of which no rank is missing."""
    try:
        own = reading(rank)
    except FactMissing:
        return True
    least = min(q.interval.lo for q in _known(rank, reading))
    return own.interval.lo <= least and pool_group.complete(rank)


def facts_of(rank: Rank) -> dict[str, Quantity]:
    """The printed quantities of a rank, named as in the relations; the most direct readings first."""
    readers: Mapping[str, Callable[[Rank], Quantity]] = {
        "avail_after_load": _least(memory.available_after_load),
        "avail_before_load": _least(memory.available_before_load),
        "own_avail_after_load": memory.available_after_load,
        "own_avail_before_load": memory.available_before_load,
        "own_avail_after_target": memory.available_after_target,
        "kv_pool": _pool,
        "state_pool": pools.state_size,
        "max_total_num_tokens": pools.tokens,
        "avail_pool_end": memory.pool_end,
        "weights": memory.weights_printed,
        "page_size": _argument("page_size", "tokens", default=1),
        "context_length": _capacity("context_len", "tokens"),
        "max_running_requests": _argument("max_running_requests", "requests"),
        "max_total_tokens": _argument("max_total_tokens", "tokens"),
        "sys_available": _mlx("sys_available_gib"),
        "mlx_limit": _mlx("mlx_limit_gib"),
        "mlx_used": _mlx("mlx_used_gib"),
        "kv_budget": _mlx("kv_budget_gib"),
        "cell_size": _mlx("bytes_per_slot"),
        "pool_mib": _mlx("pool_mib"),
        "mem_fraction_static": fraction,
    }
    found: dict[str, Quantity] = {}
    for name, read in readers.items():
        try:
            found[name] = _renamed(read(rank), name)
        except NotChecked:
            continue
    return found


_UNITS = {"cell_size": "bytes/token", "max_running_requests": "requests", "context_length": "tokens"}


def _renamed(quantity: Quantity, name: str) -> Quantity:
    unit = _UNITS.get(name, quantity.unit)
    return Quantity(
        name, quantity.value, quantity.interval, unit, quantity.line, quantity.origin, quantity.rank, quantity.equation
    )


def _least(fact: Callable[[Rank], Quantity]) -> Callable[[Rank], Quantity]:
    def read(rank: Rank) -> Quantity:
        if not pool_group.complete(rank):
            raise FactMissing("ranks are missing, so the least reading of all is not known")
        found = _known(rank, fact)
        if not found:
            raise FactMissing("no rank printed it")
        return min(found, key=lambda q: (q.interval.lo, q.rank != rank.name))

    return read


def _pool(rank: Rank) -> Quantity:
    if rank.rows("mlx_pool"):
        raise FactMissing("the MLX backend prints a budget, not a pool")
    return pools.size(rank)


def _argument(name: str, unit: str, default: int | None = None) -> Callable[[Rank], Quantity]:
    def read(rank: Rank) -> Quantity:
        value = rank.launch.argument(name)
        value = default if value is None else value
        if not isinstance(value, int) or isinstance(value, bool):
            raise FactMissing(f"{name} is not set")
        return Quantity(name, float(value), Interval.exact(value), unit, rank.launch.arguments_line)

    return read


def _capacity(name: str, unit: str) -> Callable[[Rank], Quantity]:
    def read(rank: Rank) -> Quantity:
        for row in rank.rows("capacity"):
            return row.quantity(name)
        raise FactMissing(f"{rank.name} printed no capacity line ({unit})")

    return read


def _mlx(name: str) -> Callable[[Rank], Quantity]:
    def read(rank: Rank) -> Quantity:
        for row in rank.rows("mlx_pool"):
            if row.get(name) is not None:
                return row.quantity(name)
        raise FactMissing(f"{rank.name} printed no {name}")

    return read


def fraction(rank: Rank) -> Quantity:
    """The static fraction as the dump prints it: exact when given, within its decimals when computed.

    The server computes with the very number that it prints, so the interval is one point.
    """
    value = rank.launch.argument("mem_fraction_static")
    if not isinstance(value, int | float):
        raise FactMissing("mem_fraction_static is not set in the dump")
    return Quantity(
        "mem_fraction_static", float(value), Interval.exact(value), "share", rank.launch.arguments_line, rank=rank.name
    )


def solved(rank: Rank) -> Solved:
    """All relations of this rank propagated, by the releases that fit it best. Raises NotChecked."""
    return tried(rank).best


def tried(rank: Rank) -> Tried:
    """The facts of this rank by each release of its range; kept on the launch. Raises NotChecked."""
    return rank.launch.kept(f"tried:{rank.name}", lambda: candidates(facts_of(rank), setting_of(rank), SIZING_GROUPS))


def reread(rank: Rank) -> Solved:
    """The same as `solved` with other readings of the facts tried on each conflict: that costs twice a solution."""
    facts, setting = facts_of(rank), setting_of(rank)
    ranks = rank.launch.arguments.get("tp_size")
    other = readings(facts, setting, ranks=ranks if isinstance(ranks, int) else 1)
    return candidates(facts, setting, SIZING_GROUPS, readings=other).best


def applied_to(rank: Rank) -> Applied:
    """The relation groups of start-up sizing that hold for this rank, and why the others do not."""
    return relations_of(setting_of(rank), SIZING_GROUPS)
