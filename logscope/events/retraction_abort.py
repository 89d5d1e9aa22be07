r"""Requests that a full pool ended for good: retraction was not enough, or had nowhere to put them.

Sample
    #@ 0.5.10..0.5.23
    [2026-06-14 02:17:00 TP0] retract_decode: aborted last request 3f2c9d due to OOM
    #@ 0.5.19..0.5.20
    [2026-10-14 02:17:00 TP0] retract_decode: aborted request 3f2c9d, retraction host pool exhausted
    #@ 0.5.21..0.5.23
    [2026-11-14 02:17:00 TP0] retract_decode: aborted request 3f2c9d: no room in the host pool
    #@ 0.5.7..0.5.23
    [2026-06-14 02:17:00 TP0] Testing retraction. #retracted_reqs: 2, #new_tokens_gained: 93

Meaning
    The last running request alone does not fit, or the host copy of a retracted one has no room. From 0.5.7 to 0.5.9
    the same state raised `Out of memory even after retracting all other requests in the decode batch.`, which is in
    the table pool_exhausted. `Testing retraction` comes from a test switch and is no lack of memory.

Source
    `ScheduleBatch.retract_decode`, `Scheduler.update_running_batch` (`managers/schedule_batch.py`, `scheduler.py`).
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"retract_decode: aborted last request (?P<rid>\S+) due to OOM *",
            ("retract_decode: aborted last",),
            since="0.5.10",
            sets={"kind": "last_request"},
        ),
        Shape(
            r"retract_decode: aborted request (?P<rid>[^\s,]+), (?P<reason>retraction host pool exhausted) *",
            ("retract_decode: aborted request",),
            since="0.5.19",
            until="0.5.20",
            sets={"kind": "host_pool"},
        ),
        Shape(
            r"retract_decode: aborted request (?P<rid>[^\s:]+): (?P<reason>.*)",
            ("retract_decode: aborted request",),
            since="0.5.21",
            sets={"kind": "host_pool"},
        ),
        Shape(
            r"Testing retraction\. #retracted_reqs: (?P<retracted_requests>\d+)"
            r"(?:, #new_tokens_gained: (?P<gained_tokens>-?\d+))?(?:, .*)?",
            ("Testing retraction",),
            since="0.5.7",
            sets={"kind": "test"},
        ),
    ),
    columns=(
        Column("kind", "text", "last_request, host_pool or test."),
        Column("rid", "text", "Id of the request."),
        Column("reason", "text", "As printed."),
        Column("retracted_requests", "int", "Test mode: requests that went back to the queue.", "requests"),
        Column("gained_tokens", "int", "Test mode: KV slots that became free.", "tokens"),
    ),
    process="scheduler",
)
