r"""The idle check found slots that nobody owns: the accounting of a pool does not balance.

Sample
    #@ 0.1.15..0.3.5.post2
    Warning: available_size=4090, max_total_num_token=4096
    KV cache pool leak detected!
    #@ 0.2.9..0.3.5.post2
    Warning: available req slots=40, total slots=48
    Memory pool leak detected!
    #@ 0.3.6..0.4.4.post3
    KV cache pool leak detected!available_size=4090, self.max_total_num_tokens=4096
    #@ 0.4.3.post3..0.4.4.post3
    KV cache pool leak detected!available_size=4090, protected_size=0, self.max_total_num_tokens=4096
    Memory pool leak detected!available_size=40, total_size=48
    #@ 0.4.4.post4..0.5.10.post1
    ValueError: token_to_kv_pool_allocator memory leak detected! available_size=4090, protected_size=0, self.max_total_num_tokens=4096
    ValueError: req_to_token_pool memory leak detected!available_size=40, total_size=48
    #@ 0.5.4..0.5.10.post1
    AssertionError: Mem Leak Detected! total_tokens=4090 vs self.max_total_num_tokens=4096
    ValueError: token_to_kv_pool_allocator memory leak detected! full_available_size=4090, full_evictable_size=6, self.token_to_kv_pool_allocator.size=4096, self.tree_cache.full_protected_size()=0
    #@ 0.5.3..0.5.10.post1
    ValueError: token_to_kv_pool_allocator memory leak detected! self.full_tokens_per_layer=4096, full_available_size=4090, full_evictable_size=6, self.tree_cache.full_protected_size()=0
    #@ 0.5.11..0.5.23
    ValueError: pool memory leak detected! [full] total=20000, available=15635, evictable=20, protected=601, session_held=0, uncached=0
    AssertionError: Full Pool Mem Leak Detected! total_tokens=4090 vs self.max_total_num_tokens=4096
    #@ 0.5.15..0.5.23
    KV double free: sub-pool 0 has 3 duplicate pages.
    KV page use-after-free: pages are both free and owned

Meaning
    `available + evictable + protected (+ session_held + uncached)` must equal the size. A lower sum means leaked slots,
    a higher one slots freed twice. The check runs when the scheduler is idle; from 0.4.4.post4 it kills the server,
    unless the strict check is off.

Source
    `Scheduler.check_memory` (`managers/scheduler.py`), later `scheduler_components/invariant_checker.py`.
"""

from __future__ import annotations

from logscope.events._pool_parts import PARTS
from logscope.family import Column, Family, Shape

_SIZES = (
    r"available_size=(?P<available_tokens>-?\d+)(?:, evictable_size=(?P<evictable_tokens>-?\d+))?"
    r"(?:, protected_size=(?P<protected_tokens>-?\d+))?(?:, .*?)??"
)

FAMILY = Family(
    shapes=(
        Shape(
            r"^(?:Warning: )?available_size=(?P<available_tokens>-?\d+), max_total_num_tokens?=(?P<total_tokens>\d+)\s*$",
            contains=", max_total_num_token",
            since="0.1.15",
            until="0.3.5.post2",
            scope="line",
            sets={"pool": "kv"},
        ),
        Shape(
            r"^(?:Warning: )?available req slots=(?P<available_tokens>-?\d+), total slots=(?P<total_tokens>\d+)",
            contains="available req slots=",
            since="0.2.8",
            until="0.3.5.post2",
            scope="line",
            sets={"pool": "requests"},
        ),
        Shape(
            rf"KV cache pool leak detected! ?{_SIZES}, self\.max_total_num_tokens=(?P<total_tokens>\d+)",
            contains="KV cache pool leak detected!",
            since="0.3.6",
            until="0.4.4.post3",
            scope="line",
            sets={"pool": "kv"},
        ),
        Shape(
            r"Memory pool leak detected! ?available_size=(?P<available_tokens>-?\d+), total_size=(?P<total_tokens>\d+)",
            contains="Memory pool leak detected!",
            since="0.3.6",
            until="0.4.4.post3",
            scope="line",
            sets={"pool": "requests"},
        ),
        Shape(
            r"^(?P<pool>KV cache|Memory) pool leak detected!\s*$",
            contains=" pool leak detected!",
            since="0.1.15",
            until="0.3.5.post2",
            scope="line",
        ),
        Shape(
            r"\b(?P<pool>\w{1,80}) memory leak detected! ?"
            rf"{_SIZES}(?:, (?:self\.max_total_num_tokens|total_size)=(?P<total_tokens>\d+).*)?$",
            contains=" memory leak detected!",
            since="0.4.4.post4",
            until="0.5.10.post1",
            scope="line",
        ),
        Shape(  # the first of two pools; the line below it is in `watchdog`
            rf"memory leak detected! {PARTS.format(pool='full')}",
            contains="memory leak detected! ",
            since="0.5.3",
            until="0.5.10.post1",
            scope="line",
        ),
        Shape(  # the numbers in an order, or under names, that no release read here has
            r"\b(?P<pool>\w{1,80}) memory leak detected!(?P<text>(?! ?\[\w+\] total=| ?available_size=| (?:self\.)?full_).*)",
            contains=" memory leak detected!",
            scope="line",
        ),
        Shape(
            r"\b\w{1,80} memory leak detected! \[(?P<pool>\w+)\] total=(?P<total_tokens>-?\d+),"
            r" available=(?P<available_tokens>-?\d+), evictable=(?P<evictable_tokens>-?\d+),"
            r" protected=(?P<protected_tokens>-?\d+)(?:, session_held=(?P<session_tokens>-?\d+))?"
            r"(?:, uncached=(?P<uncached_tokens>-?\d+))?",
            contains=" memory leak detected!",
            since="0.5.11",
            scope="line",
        ),
        Shape(
            r"(?P<pool>Full|SWA|Mamba) Pool Mem Leak Detected!"
            r"(?: total_tokens=(?P<counted_tokens>-?\d+) vs \S*?=(?P<total_tokens>\d+))?",
            contains=" Pool Mem Leak Detected!",
            since="0.5.11",
            scope="line",
        ),
        Shape(
            r"(?<!Pool )Mem Leak Detected!(?: total_tokens=(?P<counted_tokens>-?\d+)"
            r" vs self\.max_total_num_tokens=(?P<total_tokens>\d+))?",
            contains="Mem Leak Detected!",
            since="0.5.4",
            until="0.5.10.post1",
            scope="line",
            sets={"pool": "kv"},
        ),
        Shape(
            r"KV double free: sub-pool (?P<sub_pool>\d+) has (?P<duplicate_pages>\d+) duplicate pages\.",
            contains="KV double free:",
            since="0.5.15",
            scope="line",
            sets={"pool": "kv"},
        ),
        Shape(
            r"KV page use-after-free: (?P<text>.*)",
            contains="KV page use-after-free:",
            since="0.5.15",
            scope="line",
            sets={"pool": "kv"},
        ),
    ),
    columns=(
        Column("pool", "text", "Which pool."),
        Column("total_tokens", "int", "Size of the pool.", "tokens"),
        Column(
            "available_tokens",
            "int",
            "Free slots; with the evictable ones in releases that print one number.",
            "tokens",
        ),
        Column("evictable_tokens", "int", "Slots that only the radix cache holds.", "tokens"),
        Column("protected_tokens", "int", "Slots locked in the radix cache.", "tokens"),
        Column("session_tokens", "int", "Slots held by sessions.", "tokens", since="0.5.11"),
        Column("uncached_tokens", "int", "Slots of running requests outside the cache.", "tokens", since="0.5.11"),
        Column("counted_tokens", "int", "Sum that the check counted.", "tokens", since="0.5.4"),
        Column("sub_pool", "int", "Number of the sub-pool.", since="0.5.15"),
        Column("duplicate_pages", "int", "Pages that are free twice.", "pages", since="0.5.15"),
        Column("text", "text", "As printed."),
    ),
    process="scheduler",
)
