r"""Flushes of the prefix cache.

Sample
    #@ 0.1.15..0.5.23
    [2026-01-12 02:47:08 TP0] Cache flushed successfully!
    #@ 0.2.14..0.5.23
    [2026-01-12 02:47:08 TP0] Cache not flushed because there are pending requests. #queue-req: 0, #running-req: 3
    #@ 0.5.10..0.5.23
    [2026-04-12 02:47:08 TP0] Deferred flush_cache timed out while waiting for idle state.
    #@ 0.5.2..0.5.23
    [2026-11-12 02:47:08 TP0] Hierarchical cache cleared successfully!

Meaning
    A flush empties the radix cache and resets the counters of the batch lines: the next throughput value is low.

Source
    `Scheduler.flush_cache` (`managers/scheduler.py`).
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"Cache flushed successfully!\s*", ("Cache flushed successfully!",), since="0.1.15", sets={"flushed": True}
        ),
        Shape(
            r"Cache not flushed because there are pending requests\. (?P<fields>.*)",
            ("Cache not flushed",),
            since="0.1.15",
            sets={"flushed": False},
        ),
        Shape(r"Deferred flush_cache timed out.*", ("Deferred flush_cache",), since="0.5.10", sets={"flushed": False}),
        Shape(
            r"Hierarchical cache .*cleared successfully!.*",
            ("Hierarchical cache",),
            contains="cleared",
            sets={"flushed": True},
        ),
    ),
    columns=(
        Column("flushed", "bool", "The cache was emptied."),
        Column("queued_requests", "int", "Requests that wait.", "requests", ("#queue-req",)),
        Column("running_requests", "int", "Requests that run.", "requests", ("#running-req",)),
    ),
    process="scheduler",
    open_keys=True,
)
