r"""Retractions: the KV pool was full and running requests went back to the queue.

Sample
    #@ 0.1.15..0.2.13
    [gpu=0] decode out of memory happened, #retracted_reqs: 12, #new_token_ratio: 0.5420 -> 0.8731
    #@ 0.2.14..0.4.6.post5
    [2025-03-14 02:17:00 TP0] Decode out of memory happened. #retracted_reqs: 12, #new_token_ratio: 0.5420 -> 0.8731
    #@ 0.4.7..0.5.6.post2
    [2025-06-14 02:17:00 TP0] KV cache pool is full. Retract requests. #retracted_reqs: 12, #new_token_ratio: 0.5420 -> 0.8731
    #@ 0.5.3..0.5.4.post1
    [2025-10-14 02:17:00 TP0] KV cache pool is full. Retract requests. #retracted_reqs: 12, #aborted_retracted_reqs: 0, #new_token_ratio: 0.5420 -> 0.8731
    #@ 0.5.7..0.5.23
    [2026-01-14 02:17:00 TP0] KV cache pool is full. Retract requests. #retracted_reqs: 12, #new_tokens_gained: 30144, #new_token_ratio: 0.5420 -> 0.8731
    #@ 0.5.11..0.5.23
    [2026-06-14 02:17:00 TP0] KV cache pool is full. Retract requests. #retracted_reqs: 12, #new_tokens_gained: 30144, #mamba_num_gained: 12, #new_token_ratio: 0.5420 -> 0.8731
    #@ a key that no release had
    [2026-06-14 02:17:00 TP0] KV cache pool is full. Retract requests. #retracted_reqs: 12, #new_token_ratio: 0.5420

Meaning
    A scheduling event, not a failure: no device allocation failed, whatever the older wording says. The requests run
    again later, with what they had computed lost unless the radix cache still holds it. `new_token_ratio` is the
    scheduler's estimate of the share of `max_new_tokens` that running requests will use (1.0 reserves all of it);
    a retraction raises it, idling resets it without a line.

Source
    `Scheduler.update_running_batch` with `ScheduleBatch.retract_decode` (earlier `forward_decode_batch`,
    `get_new_batch_decode`).
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

_RATIO = r"#new_token_ratio: (?P<new_token_ratio_before>[-\d.]+) -> (?P<new_token_ratio_after>[-\d.]+) *"
_FULL = r"KV cache pool is full\. Retract requests\. #retracted_reqs: (?P<retracted_requests>\d+), "

FAMILY = Family(
    shapes=(
        Shape(
            r"decode out of memory happened, #retracted_reqs: (?P<retracted_requests>\d+), " + _RATIO,
            ("decode out of memory happened",),
            since="0.1.15",
            until="0.2.13",
        ),
        Shape(
            r"Decode out of memory happened\. #retracted_reqs: (?P<retracted_requests>\d+), " + _RATIO,
            ("Decode out of memory happened",),
            since="0.2.14",
            until="0.4.6.post5",
        ),
        Shape(_FULL + _RATIO, ("KV cache pool is full. Retract",), since="0.4.7", until="0.5.6.post2"),
        Shape(
            _FULL + r"#aborted_retracted_reqs: (?P<aborted_requests>\d+), " + _RATIO,
            ("KV cache pool is full. Retract",),
            since="0.5.3",
            until="0.5.4.post1",
        ),
        Shape(
            _FULL + r"#new_tokens_gained: (?P<gained_tokens>-?\d+), " + _RATIO,
            ("KV cache pool is full. Retract",),
            since="0.5.7",
        ),
        Shape(
            _FULL + r"#new_tokens_gained: (?P<gained_tokens>-?\d+),"
            r" #mamba_num_gained: (?P<gained_mamba_slots>-?\d+), " + _RATIO,
            ("KV cache pool is full. Retract",),
            since="0.5.11",
        ),
        Shape(r"KV cache pool is full\. Retract requests\. (?P<fields>.*)", ("KV cache pool is full. Retract",)),
    ),
    columns=(
        Column("retracted_requests", "int", "Requests that went back to the queue.", "requests", ("#retracted_reqs",)),
        Column(
            "aborted_requests",
            "int",
            "Of these, aborted for good.",
            "requests",
            ("#aborted_retracted_reqs",),
            since="0.5.3",
            until="0.5.4.post1",
        ),
        Column("gained_tokens", "int", "KV slots that became free.", "tokens", ("#new_tokens_gained",), since="0.5.7"),
        Column(
            "gained_mamba_slots",
            "int",
            "State slots that became free.",
            "slots",
            ("#mamba_num_gained",),
            since="0.5.11",
        ),
        Column("new_token_ratio_before", "float", "The estimate before.", "share", ("#new_token_ratio",), decimals=4),
        Column("new_token_ratio_after", "float", "The estimate after.", "share", decimals=4),
    ),
    process="scheduler",
    open_keys=True,
    most_rows=50_000,  # each of them is one event of a count
)
