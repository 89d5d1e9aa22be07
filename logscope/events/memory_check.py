r"""The parts of a pool as the busy check (opt-in) or a dump of a stalled batch prints them.

Sample
    #@ 0.5.4..0.5.10.post1
    [2026-02-26 02:16:21 TP0] [Mem Check (BUSY)] available_size=4000, evictable_size=20, protected_size=40, uncached_size=36
    #@ 0.5.11..0.5.23
    [2026-06-26 02:16:21 TP0] [Mem Check (BUSY)] [full] total=20000, available=15635, evictable=20, protected=601, session_held=0, uncached=0
    #@ 0.4.3.post3..0.5.6.post2
    self.max_total_num_tokens=20000, available_size=15635, evictable_size=20, protected_size=601
    self.token_to_kv_pool_allocator.available_size()=15635, self.tree_cache.evictable_size()=20,

Meaning
    The parts of a pool; they must add up to its size.

Source
    `scheduler_runtime_checker_mixin.py`, later `scheduler_components/invariant_checker.py`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"\[Mem Check \(BUSY\)\] available_size=(?P<available_tokens>-?\d+), evictable_size=(?P<evictable_tokens>-?\d+),"
            r" protected_size=(?P<protected_tokens>-?\d+), uncached_size=(?P<uncached_tokens>-?\d+).*",
            ("[Mem Check (BUSY)] avail",),
            since="0.5.4",
            until="0.5.10.post1",
        ),
        Shape(
            r"(?:self\.max_total_num_tokens=(?P<total_tokens>\d+), )?available_size=(?P<available_tokens>-?\d+),"
            r" evictable_size=(?P<evictable_tokens>-?\d+)(?:, protected_size=(?P<protected_tokens>-?\d+))?",
            contains="available_size=",
            scope="line",
        ),
        Shape(
            r"allocator\.available_size\(\)=(?P<available_tokens>-?\d+), "
            r"self\.tree_cache\.evictable_size\(\)=(?P<evictable_tokens>-?\d+)",
            contains="allocator.available_size()=",
            scope="line",
        ),
        Shape(r"\[Mem Check \(BUSY\)\] (?P<text>.*)", ("[Mem Check (BUSY)] [",), since="0.5.11"),
    ),
    columns=(
        Column("total_tokens", "int", "Size of the pool.", "tokens"),
        Column("available_tokens", "int", "Free slots.", "tokens"),
        Column("evictable_tokens", "int", "Slots that only the radix cache holds.", "tokens"),
        Column("protected_tokens", "int", "Slots locked in the radix cache.", "tokens"),
        Column("uncached_tokens", "int", "Slots of running requests outside the cache.", "tokens"),
        Column("text", "text", "The parts by pool, as printed.", since="0.5.11"),
    ),
    process="scheduler",
    multiline=True,
)
