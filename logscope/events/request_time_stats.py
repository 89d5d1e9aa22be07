r"""How long one request spent where (opt-in), one row a finished request.

Sample
    #@ 0.4.6.post4..0.5.11
    [2026-01-12 02:47:08 TP0] Req Time Stats(rid=3f2c9d, input len=512, output len=64, type=unified): queue_duration=0.31ms, forward_duration=612.20ms, start_time=1768186028.123
    [2026-01-12 02:47:08 TP0] Req Time Stats(rid=3f2c9d, bootstrap_room=17, input len=512, output len=64, type=prefill): queue_duration=0.31ms, forward_duration=612.20ms, entry_time=1768186028.123
    #@ 0.5.12..0.5.15.post1
    [2026-06-12 02:47:08 TP0] ReqTimeStats(rid=3f2c9d, input_len=512, cached_input_len=0, output_len=64, type=unified): queue_duration=0.31ms, forward_duration=612.20ms
    #@ 0.5.16..0.5.23
    [2026-09-12 02:47:08 TP0] ReqTimeStats(rid=3f2c9d, input_len=512, cached_input_len=0, output_len=64, attempts=1, type=unified): queue_duration=0.31ms, forward_duration=612.20ms

Meaning
    Durations in milliseconds. `type` is unified, prefill or decode (PD).

Source
    `Req.time_stats`, `TimeStats` (`disaggregation/utils.py`, later `managers/request_time_stats.py`).
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"Req Time Stats\(rid=(?P<rid>[^,]*)(?:, bootstrap_room=(?P<bootstrap_room>\w+))?, input len=(?P<input_tokens>\d+),"
            r" output len=(?P<output_tokens>\d+), type=(?P<type>[\w.]+)\): (?P<fields>.*)",
            ("Req Time Stats(",),
            since="0.4.6.post4",
            until="0.5.11",
            separator="=",
        ),
        Shape(
            r"ReqTimeStats\(rid=(?P<rid>[^,]*)(?:, bootstrap_room=(?P<bootstrap_room>\w+))?, input_len=(?P<input_tokens>\d+),"
            r" cached_input_len=(?P<cached_tokens>\d+), output_len=(?P<output_tokens>\d+), type=(?P<type>[\w.]+)\):"
            r" (?P<fields>.*)",
            ("ReqTimeStats(",),
            since="0.5.12",
            until="0.5.15.post1",
            separator="=",
        ),
        Shape(
            r"ReqTimeStats\(rid=(?P<rid>[^,]*)(?:, bootstrap_room=(?P<bootstrap_room>\w+))?, input_len=(?P<input_tokens>\d+),"
            r" cached_input_len=(?P<cached_tokens>\d+), output_len=(?P<output_tokens>\d+), attempts=(?P<attempts>\d+),"
            r" type=(?P<type>[\w.]+)\): (?P<fields>.*)",
            ("ReqTimeStats(",),
            since="0.5.16",
            separator="=",
        ),
        Shape(r"Req ?Time ?Stats\((?P<rest>.*)", ("Req Time Stats(", "ReqTimeStats(")),
    ),
    columns=(
        Column("rid", "text", "Id of the request."),
        Column("bootstrap_room", "text", "PD: the room of the hand-over."),
        Column("type", "text", "unified, prefill, decode."),
        Column("input_tokens", "int", "Tokens of the prompt.", "tokens"),
        Column("cached_tokens", "int", "Of these, from the cache.", "tokens", since="0.5.12"),
        Column("output_tokens", "int", "Tokens that came out.", "tokens"),
        Column("attempts", "int", "Times the request was scheduled.", since="0.5.16"),
        Column("queue_duration_ms", "float", "Time in the queue.", "ms", ("queue_duration",)),
        Column("forward_duration_ms", "float", "Time from the first forward to the end.", "ms", ("forward_duration",)),
        Column("bootstrap_duration_ms", "float", "PD prefill: handshake.", "ms", ("bootstrap_duration",)),
        Column(
            "bootstrap_queue_duration_ms",
            "float",
            "PD prefill: queue of the handshake.",
            "ms",
            ("bootstrap_queue_duration",),
        ),
        Column(
            "prealloc_queue_duration_ms",
            "float",
            "PD decode: queue for slots.",
            "ms",
            ("prealloc_queue_duration", "prealloc_duration"),
        ),
        Column(
            "transfer_duration_ms",
            "float",
            "PD: KV on its way.",
            "ms",
            ("transfer_duration", "transfer_queue_duration"),
        ),
        Column("transfer_speed_gb_s", "float", "PD: rate.", "GB/s", ("transfer_speed",)),
        Column("transfer_total_mb", "float", "PD: amount.", "MB", ("transfer_total",)),
        Column(
            "start_time_s",
            "float",
            "Clock at the start: seconds of a monotonic clock or since 1970.",
            "s",
            ("start_time", "entry_time"),
            decimals=3,
        ),
        Column("rest", "text", "A wording that no release had."),
    ),
    open_keys=True,
)
