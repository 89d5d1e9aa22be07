"""The pool is smaller than the budget that the fraction leaves.

What it says
    The KV pool takes less than 97 % of after − before · (1 − fraction), because states, windows, a draft or another
    rank decide its size.

Why it matters
    Where something else than the fraction decides, a larger fraction adds no token and takes memory from the rest.

Example
    A hybrid model whose states take 0.47 of 51.6 GiB: its KV pool is 27.2 GiB.

Silent when
    The numbers of the budget are missing, a cap decides, the pool is sized after the graphs, or it fills the
    budget.

Source
    `ModelRunner.profile_max_num_token`, `init_memory_pool` (0.5.16 and later `mem_cache/kv_cache_configurator.py`).
"""

from __future__ import annotations

from logscope.errors import NotApplicable
from logscope.facts import memory, pools, settings
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import compared, judged

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "kv_pool", _of)


def _of(rank: Rank) -> Finding | None:
    launch = rank.launch
    if launch.has("mlx_pool") or any(
        str(row.get("kind", "")).startswith(("post", "upper")) for row in rank.rows("kv_pool")
    ):
        raise NotApplicable("this pool is sized by another rule")
    if settings.set_to(launch, "max_total_tokens"):
        raise NotApplicable("--max-total-tokens decides")
    fraction = settings.number(launch, "mem_fraction_static").value
    pool = pools.size(rank)
    rest = memory.available_after_load(rank).interval - memory.available_before_load(rank).interval * (1 - fraction)
    if pool.interval.hi >= 0.97 * rest.lo or rest.lo < 1:
        return None
    return compared(
        f"The pool is {pool.value:.2f} GiB of a budget of {rest.mid:.2f} GiB: states, windows, a draft or another rank decide, not the fraction.",
        pool,
        rest,
        "avail_after_load − avail_before_load · (1 − mem_fraction_static)",
        memory.available_after_load(rank).line,
        memory.available_before_load(rank).line,
    )
