r"""Requests that ended early: the client went away, or somebody aborted them.

Sample
    #@ 0.4.3.post3..0.4.6.post3
    [2025-04-12 02:47:08] [http_server] Error: Request is disconnected from the client side. Abort request 3f2c9d
    #@ 0.4.6.post4..0.5.23
    [2026-01-12 02:47:08] [http_server] Error: Request is disconnected from the client side (type 1). Abort request obj.rid='3f2c9d'
    [2026-01-12 02:47:08] Received output for rid='3f2c9d' but the state was deleted in TokenizerManager.
    #@ 0.3.6.post3..0.4.3.post2
    [2025-02-12 02:47:08] Abort request 3f2c9d0b1e5a4c7786f0a9b8c7d6e5f4
    #@ 0.3.6.post3..0.5.23
    [2026-01-12 02:47:08 TP0] Abort queued request. req.rid='3f2c9d'
    [2026-01-12 02:47:08 TP0] Abort running request. req.rid='3f2c9d'
    #@ 0.5.21..0.5.23
    [2026-11-12 02:47:08] [http_server] Client disconnected: 3f2c9d
    #@ 0.5.20..0.5.23
    [2026-11-12 02:47:08] Abort request for rid='3f2c9d' not found in rid_to_state; likely already finished/removed.

Meaning
    Aborts by clients are nearly invisible: most leave no line at the default level. `state was deleted` is a late token
    of such a request. Many of them in a row mean clients with a timeout shorter than the answer.

Source
    `TokenizerManager`, `Scheduler.abort_request` (debug level), `entrypoints/http_server.py`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

_GONE = r"(?:\[http_server\] )?(?:Error: |ValueError: )?Request is disconnected from the client side"

FAMILY = Family(
    shapes=(
        Shape(
            rf"{_GONE}\. Abort request (?P<rid>\S+) *",
            contains="Request is disconnected from the client side. ",
            since="0.4.3.post3",
            until="0.4.6.post3",
            sets={"kind": "disconnected"},
        ),
        Shape(
            rf"{_GONE} \(type (?P<disconnect_type>\d+)\)\. Abort request (?:obj\.)?rid='?(?P<rid>[^'\s]*)'? *",
            contains="Request is disconnected from the client side (type",
            since="0.4.6.post4",
            sets={"kind": "disconnected"},
        ),
        Shape(
            r"Received output for rid='?(?P<rid>[^'\s]*)'? but the state was deleted in TokenizerManager\. *",
            ("Received output for rid=",),
            since="0.4.6.post4",
            sets={"kind": "state_deleted"},
        ),
        Shape(
            r"Abort (?P<kind>queued|running|grammar queue|prefill|transfer|[\w ]+?) (?:request|req)\.? \S*?rid='?(?P<rid>[^'\s]*)'?.*",
            ("Abort ",),
            since="0.3.6.post3",
        ),
        Shape(
            r"\[http_server\] Client disconnected: (?P<rid>.*)",
            ("[http_server] Client disconnected:",),
            sets={"kind": "disconnected"},
        ),
        Shape(r"Abort request (?P<rid>[0-9a-f]{32}) *", ("Abort request ",), sets={"kind": "aborted"}),
        Shape(
            r"Abort request for rid=(?P<rid>\S+) not found in rid_to_state.*",
            ("Abort request for rid=",),
            sets={"kind": "unknown_request"},
        ),
    ),
    columns=(
        Column(
            "kind", "text", "disconnected, aborted, state_deleted, unknown_request, or the queue the request stood in."
        ),
        Column("disconnect_type", "int", "1: before the first token, 3: while streaming.", since="0.4.6.post4"),
        Column("rid", "text", "Id of the request."),
    ),
)
