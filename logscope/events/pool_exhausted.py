r"""A pool had no slot left for a batch that was already scheduled: a fault inside the server, not of the device.

Sample
    #@ 0.1.15..0.2.9
    Prefill out of memory. This should never happen.
    #@ 0.2.10..0.5.23
    [2024-09-06 02:16:20 TP0] Prefill out of memory. Try to lower your batch size.
    [2024-09-06 02:16:20 TP0] Decode out of memory. Try to lower your batch size.
    #@ 0.3.4.post2..0.4.6.post3
    Avaliable tokens: 5120
    #@ 0.3.4.post2..0.5.23
    Try to allocate 8192 tokens.
    #@ 0.4.6.post4..0.4.9.post2
    Available tokens: 5120
    self.token_to_kv_pool_allocator.available_size()=1024
    self.tree_cache.evictable_size()=4096
    #@ 0.4.9.post3..0.5.23
    Available tokens: 5120 (available_size=1024 + evictable_size=4096)
    #@ 0.4.9.post3..0.5.23
    Available full tokens: 5120 (full_available_size=1024 + full_evictable_size=4096)
    Available swa tokens: 512 (swa_available_size=512 + swa_evictable_size=0)
    Full LRU list evictable size: 4096
    SWA LRU list evictable size: 0
    #@ the wording of per-request rings
    SWA available tokens: 512 (swa_available=512 + swa_evictable=0)
    #@ 0.5.3.post2..0.5.23
    [2026-01-06 02:16:20 TP0] Out of memory. Try to lower your batch size.
    #@ 0.5.7..0.5.9
    ValueError: Out of memory even after retracting all other requests in the decode batch.

Meaning
    One row a physical line: the head (`kind` prefill, decode, any), what was asked for, and what each pool had.
    `available + evictable ≥ asked` under a page size above 1, or on a hybrid pool, is fragmentation or a broken
    count. The text is logged and raised, so it stands in the log twice.

Source
    `ScheduleBatch.alloc_token_slots` (`managers/schedule_batch.py`), `mem_cache/common.py`,
    `mem_cache/allocation.py` (0.5.3.post2 and later).
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"(?P<stage>Prefill|Decode) out of memory\. This should never happen\.",
            contains=" out of memory. This should never happen.",
            since="0.1.15",
            until="0.2.9.post1",
            scope="line",
            sets={"kind": "head"},
        ),
        Shape(
            r"(?P<stage>Prefill|Decode) out of memory\. Try to lower your batch size\.",
            contains=" out of memory. Try to lower your batch size.",
            since="0.2.10",
            scope="line",
            sets={"kind": "head"},
        ),
        Shape(
            r"(?<!\w )Out of memory\. Try to lower your batch size\.",
            contains="Out of memory. Try to lower your batch size.",
            since="0.5.3.post2",
            scope="line",
            sets={"kind": "head"},
        ),
        Shape(
            r"Out of memory even after retracting all other requests in the decode batch\.",
            contains="Out of memory even after retracting all other requests",
            since="0.5.7",
            until="0.5.9",
            scope="line",
            sets={"kind": "head", "stage": "Decode"},
        ),
        Shape(
            r"Try to allocate (?P<requested_tokens>\d+) tokens\.",
            contains="Try to allocate ",
            since="0.3.4.post2",
            scope="line",
            sets={"kind": "requested"},
        ),
        Shape(
            r"Avaliable tokens: (?P<available_total_tokens>-?\d+)",
            contains="Avaliable tokens: ",
            since="0.3.4.post2",
            until="0.4.6.post3",
            scope="line",
            sets={"kind": "available", "pool": "full"},
        ),
        Shape(
            r"Available tokens: (?P<available_total_tokens>-?\d+)"
            r" \(available_size=(?P<available_tokens>-?\d+) \+ evictable_size=(?P<evictable_tokens>-?\d+)\)",
            contains="Available tokens: ",
            since="0.4.9.post3",
            scope="line",
            sets={"kind": "available", "pool": "full"},
        ),
        Shape(
            r"Available tokens: (?P<available_total_tokens>-?\d+)\s*$",
            contains="Available tokens: ",
            since="0.4.6.post4",
            until="0.4.9.post2",
            scope="line",
            sets={"kind": "available", "pool": "full"},
        ),
        Shape(
            r"^self\.token_to_kv_pool_allocator\.available_size\(\)=(?P<available_tokens>-?\d+)\s*$",
            contains="self.token_to_kv_pool_allocator.available_size()=",
            scope="line",
            sets={"kind": "available", "pool": "full"},
        ),
        Shape(
            r"^self\.tree_cache\.evictable_size\(\)=(?P<evictable_tokens>-?\d+)",
            contains="self.tree_cache.evictable_size()=",
            scope="line",
            sets={"kind": "available", "pool": "full"},
        ),
        Shape(
            r"Available (?P<pool>[\w ]+?)(?: tokens)?: (?P<available_total_tokens>-?\d+)"
            r" \((?:\w+?_)?available_size=(?P<available_tokens>-?\d+) \+"
            r" (?:\w+?_)?evictable_size_?=(?P<evictable_tokens>-?\d+)\)",
            contains="available_size=",
            since="0.4.9.post3",
            scope="line",
            sets={"kind": "available"},
        ),
        Shape(
            r"(?P<pool>\w{1,40}) available tokens: (?P<available_total_tokens>-?\d+)"
            r" \(\w{1,40}_available=(?P<available_tokens>-?\d+) \+ \w{1,40}_evictable=(?P<evictable_tokens>-?\d+)\)",
            contains=" available tokens: ",
            scope="line",
            sets={"kind": "available"},
        ),
        Shape(
            r"(?P<pool>Full|SWA|Mamba) LRU list evictable size: (?P<evictable_tokens>-?\d+)",
            contains=" LRU list evictable size: ",
            since="0.4.9.post3",
            scope="line",
            sets={"kind": "evictable"},
        ),
    ),
    columns=(
        Column("kind", "text", "head, requested, available, evictable."),
        Column("stage", "text", "Prefill or Decode; absent where the release does not say."),
        Column("pool", "text", "Which pool the numbers are about."),
        Column("requested_tokens", "int", "Slots asked for.", "tokens"),
        Column("available_total_tokens", "int", "Free + evictable.", "tokens"),
        Column("available_tokens", "int", "Free slots.", "tokens"),
        Column("evictable_tokens", "int", "Slots that only the radix cache holds.", "tokens"),
    ),
    process="scheduler",
)
