r"""Prefill–decode disaggregation: handshakes and transfers that failed, and peers that were lost.

Sample
    #@ 0.4.6.post5..0.5.23
    [2026-01-12 02:47:08 TP0] Prefill bootstrap failed for request rank=0 req.rid='3f2c9d' req.bootstrap_room=17 with exception KVTransferError(bootstrap_room=17): timed out
    [2026-01-12 02:47:08 TP0] Prefill transfer failed for request rank=0 req.rid='3f2c9d' req.bootstrap_room=17
    [2026-01-12 02:47:08 TP0] Decode handshake failed for request rank=0 decode_req.req.rid='3f2c9d' decode_req.req.bootstrap_room=17 with exception KVTransferError: timed out
    [2026-01-12 02:47:08 TP0] Decode transfer failed for request rank=0 decode_req.req.rid='3f2c9d' decode_req.req.bootstrap_room=17
    [2025-05-12 02:47:08 TP0] Decode transfer failed for request decode_req.req.rid='3f2c9d' decode_req.req.bootstrap_room=17
    #@ 0.4.7..0.4.10.post2
    [2025-07-12 02:47:08] Losing connection with prefill instance (bootstrap_addr: 10.0.0.7:8998), affected 3 requests
    #@ 0.5.1..0.5.13.post1
    [2026-01-12 02:47:08] Losing connection with prefill instance (bootstrap_addr: 10.0.0.7:8998), 3 requests affected
    #@ 0.5.13..0.5.23
    [2026-07-12 02:47:08] Lost connection with prefill instance (bootstrap_addr: 10.0.0.7:8998), 3 requests affected
    #@ 0.5.3..0.5.12.post1
    [2026-01-12 02:47:08] Lost connection with prefill instance (bootstrap_addr: 10.0.0.7:8998), 3 transfers affected
    #@ 0.4.10..0.5.23
    [2026-01-12 02:47:08 TP0] Some requests timed out when bootstrapping, which means prefill instances fail to receive the KV indices from the decode instance of this request. If a greater mean TTFT is acceptable, you can 'export SGLANG_DISAGGREGATION_BOOTSTRAP_TIMEOUT=600' (10 minutes) to relax the timeout condition.␠
    #@ 0.4.10.post2..0.5.23
    [2026-01-12 02:47:08] Start of pd disaggregation warmup ...
    #@ 0.5.11..0.5.23
    [2026-05-12 02:47:08] End of disaggregation warmup
    #@ 0.4.6.post1..0.4.10.post1
    [2025-06-12 02:47:08] Start of prefill warmup ...
    [2025-06-12 02:47:08] End of prefill warmup with status 200, resp: [{'text': ''}]
    #@ 0.4.10.post2..0.5.10.post1
    [2026-01-12 02:47:08] End of prefill disaggregation mode warmup with status 200, resp: [{'text': ''}]
    #@ 0.5.13..0.5.23
    [2026-07-12 02:47:08] Disaggregation warmup failed (mode=prefill), status codes: [500]

Meaning
    `stage` says where it broke. A failed handshake means that the two sides did not find each other in time (address,
    port, different parallel sizes); a failed transfer, that memory moved or a peer died: look at the peer's log.

Source
    `disaggregation/prefill.py`, `decode.py`, `common/conn.py`, `mooncake/conn.py`, `nixl/conn.py`; `http_server.py`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

_TAIL = r"(?: with exception (?P<text>.*))?\s*"
_LOST = r" connection with prefill instance \(bootstrap_addr: (?P<address>[^)]*)\), "
_ROOM = r"rid='?(?P<rid>[^'\s]*)'? (?:decode_req\.)?req\.bootstrap_room=(?P<bootstrap_room>\w+)"

FAMILY = Family(
    shapes=(
        Shape(
            rf"(?P<stage>Prefill bootstrap|Prefill transfer|Decode handshake|Decode transfer) failed for request"
            rf" (?:rank=(?P<printed_rank>\d+) )?(?:decode_req\.)?req\.{_ROOM}{_TAIL}",
            (
                "Prefill bootstrap failed",
                "Prefill transfer failed",
                "Decode handshake failed",
                "Decode transfer failed",
            ),
            since="0.4.6.post5",
            sets={"kind": "failed"},
        ),
        Shape(
            rf"Losing{_LOST}affected (?P<requests>\d+) requests *",
            ("Losing connection with",),
            since="0.4.7",
            until="0.4.10.post2",
            sets={"kind": "lost"},
        ),
        Shape(
            rf"Losing{_LOST}(?P<requests>\d+) requests affected *",
            ("Losing connection with",),
            since="0.5.1",
            until="0.5.13.post1",
            sets={"kind": "lost"},
        ),
        Shape(
            rf"Lost{_LOST}(?P<requests>\d+) requests affected *",
            ("Lost connection with",),
            since="0.5.13",
            sets={"kind": "lost"},
        ),
        Shape(
            rf"Lost{_LOST}(?P<requests>\d+) transfers affected *",
            ("Lost connection with",),
            since="0.5.3",
            until="0.5.12.post1",
            sets={"kind": "lost"},
        ),
        Shape(
            r"(?P<text>Some requests (?:timed out|fail to receive).*)",
            ("Some requests timed out", "Some requests fail to receive"),
            sets={"kind": "timeout"},
        ),
        Shape(
            r"Start of (?:pd disaggregation|prefill) warmup \.\.\. *",
            ("Start of pd disaggregation warmup", "Start of prefill warmup"),
            sets={"kind": "warmup_begin"},
        ),
        Shape(
            r"End of (?:prefill |prefill disaggregation mode |disaggregation )warmup(?: with status (?P<status>\d+),"
            r" resp: (?P<text>.*))? *",
            ("End of prefill", "End of disaggregation"),
            sets={"kind": "warmup_end"},
        ),
        Shape(
            r"Disaggregation warmup failed \(mode=(?P<mode>\w+)\), status code(?:s|\(s\)): (?P<text>.*)",
            ("Disaggregation warmup failed",),
            since="0.5.13",
            sets={"kind": "warmup_failed"},
        ),
        Shape(
            r"Prefill disaggregation mode warm Up Failed, status code: (?P<status>\d+).*",
            ("Prefill disaggregation mode warm",),
            sets={"kind": "warmup_failed"},
        ),
        Shape(
            r"KVTransferError\(bootstrap_room=(?P<bootstrap_room>\w+)\): (?P<text>.*)",
            contains="KVTransferError(bootstrap_room=",
            scope="line",
            sets={"kind": "error"},
        ),
    ),
    columns=(
        Column("kind", "text", "failed, lost, timeout, error, warmup_begin, warmup_end, warmup_failed."),
        Column("stage", "text", "Prefill bootstrap, Prefill transfer, Decode handshake, Decode transfer."),
        Column("rid", "text", "Id of the request."),
        Column("bootstrap_room", "text", "The room of the hand-over: the same number on both sides."),
        Column("printed_rank", "int", "Rank named in the message."),
        Column("address", "text", "The peer."),
        Column("requests", "int", "Requests that were lost with it.", "requests"),
        Column("status", "int", "HTTP status of the warm-up."),
        Column("mode", "text", "prefill or decode."),
        Column("text", "text", "What else the line says."),
    ),
)
