r"""Watchdogs: a process made no progress for the time allowed, and what it was doing.

Sample
    #@ 0.3.5..0.5.6.post2
    [2025-06-26 02:16:21 TP3] Watchdog timeout (self.watchdog_timeout=300)
    #@ 0.5.7..0.5.23
    [2026-06-26 02:16:21 TP3] Scheduler watchdog timeout (self.watchdog_timeout=300, self.soft=False)
    [2026-06-26 02:16:20 TP3] Scheduler debug info:
    scheduler.cur_batch_for_debug.batch_size()=8
    scheduler.cur_batch_for_debug.reqs=[Req(rid=a5b30f632ca741189b02dd4626f02783, input_ids=[368, 1772])]
    [full] total=20000, available=15635, evictable=20, protected=601, session_held=0, uncached=0
    #@ 0.4.3.post3..0.5.6.post2
    [2025-06-26 02:16:20 TP3] self.cur_batch.batch_size()=8, self.cur_batch.reqs=[Req(rid=a5b3, input_ids=[1])],␠
    #@ 0.5.4..0.5.10.post1
    mamba_available_size=70, mamba_evictable_size=9, self.req_to_token_pool.mamba_pool.size=80, self.tree_cache.mamba_protected_size()=0
    #@ 0.5.3..0.5.10.post1
    self.swa_tokens_per_layer=4096, swa_available_size=4090, swa_evictable_size=6, self.tree_cache.swa_protected_size()=0
    #@ 0.5.7..0.5.23
    [2026-06-26 02:16:21] SubprocessWatchdog thread crashed: no such process
    [2026-06-26 02:16:21] Scheduler watchdog thread crashed: no such process

Meaning
    The timeout is the answer to a hang, not its cause: what the process waited for stands in the stacks beside it. A
    `soft` timeout only reports. The record may come several times before the exit, because the main process spends
    a minute and more on dumps.

Source
    `Scheduler.watchdog_thread` (to 0.5.6.post2), `utils/watchdog.py` (0.5.7 and later).
"""

from __future__ import annotations

from logscope.events._pool_parts import PARTS
from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"Watchdog timeout \(self\.watchdog_timeout=(?P<timeout_s>[\d.]+)\) *",
            ("Watchdog timeout",),
            since="0.3.5",
            until="0.5.6.post2",
            sets={"kind": "timeout", "watched": "Scheduler"},
        ),
        Shape(
            r"(?P<watched>[\w ]+?) watchdog timeout \(self\.watchdog_timeout=(?P<timeout_s>[\d.]+),"
            r" self\.soft=(?P<soft>True|False)\) *",
            contains=" watchdog timeout (",
            since="0.5.7",
            sets={"kind": "timeout"},
        ),
        Shape(
            r"(?P<watched>\w+) debug info:.*",
            contains=" debug info:",
            since="0.5.7",
            sets={"kind": "debug"},
        ),
        Shape(
            r"self\.cur_batch\.batch_size\(\)=(?P<batch_requests>\d+),\s+self\.cur_batch\.reqs=.*",
            ("self.cur_batch.batch_size()=",),
            since="0.4.3.post3",
            until="0.5.6.post2",
            sets={"kind": "debug", "watched": "Scheduler"},
        ),
        Shape(
            r"(?P<watched>\w+?) ?[Ww]atchdog thread crashed: (?P<text>.*)",
            contains="atchdog thread crashed:",
            since="0.5.7",
            sets={"kind": "broken"},
        ),
        Shape(
            r"^(?:self|scheduler)\.cur_batch(?:_for_debug)?\.batch_size\(\)=(?P<batch_requests>\d+),?\s*$",
            contains=".batch_size()=",
            scope="line",
            sets={"kind": "debug", "watched": "Scheduler"},
        ),
        Shape(
            r"^(?:self|scheduler)\.cur_batch(?:_for_debug)?\.reqs=(?P<text>\[.*)",
            contains=".reqs=[",
            scope="line",
            sets={"kind": "debug", "watched": "Scheduler"},
        ),
        Shape(
            r"^\[(?P<pool>\w+)\] total=(?P<total_tokens>-?\d+), available=(?P<available_tokens>-?\d+),"
            r" evictable=(?P<evictable_tokens>-?\d+), protected=(?P<protected_tokens>-?\d+)"
            r"(?:, session_held=(?P<session_tokens>-?\d+))?(?:, uncached=(?P<uncached_tokens>-?\d+))?",
            contains="] total=",
            since="0.5.11",
            scope="line",
            sets={"kind": "debug", "watched": "Scheduler"},
        ),
        Shape(
            rf"^{PARTS.format(pool='(?:full|mamba|swa)')}",
            contains="_available_size=",
            since="0.5.3",
            until="0.5.10.post1",
            scope="line",
            sets={"kind": "debug", "watched": "Scheduler"},
        ),
    ),
    columns=(
        Column("kind", "text", "timeout, debug, broken."),
        Column("watched", "text", "The process that is watched."),
        Column("timeout_s", "float", "Time allowed.", "s", decimals=0),
        Column("soft", "bool", "The process goes on.", since="0.5.7"),
        Column("batch_requests", "int", "Requests in the batch that was running.", "requests"),
        Column("pool", "text", "Name of the pool."),
        Column("total_tokens", "int", "Slots of the pool.", "tokens"),
        Column("available_tokens", "int", "Free slots.", "tokens"),
        Column("evictable_tokens", "int", "Slots that only the radix cache holds.", "tokens"),
        Column("protected_tokens", "int", "Slots of running requests that the cache knows.", "tokens"),
        Column("session_tokens", "int", "Slots held by sessions.", "tokens", since="0.5.11"),
        Column("uncached_tokens", "int", "Slots of running requests outside the cache.", "tokens", since="0.5.11"),
        Column("text", "text", "The requests as printed, or the error: holds token ids."),
    ),
    process="scheduler",
    multiline=True,
    dumps=True,
    private=("text",),
)
