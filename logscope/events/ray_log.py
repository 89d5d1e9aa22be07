r"""Lines of Ray itself, around servers that it starts: one row a line.

Sample
    #@ 0.1.15..0.5.23
    2025-03-01 10:00:00,123	INFO worker.py:1821 -- Started a local Ray instance.
    [2025-03-01 10:00:00,123 W 57 57] (raylet) node_manager.cc:3193: 1 Workers (tasks / actors) killed due to memory pressure (OOM), 0 Workers crashed due to other reasons
    (raylet) node_manager.cc:3193: 1 Workers (tasks / actors) killed due to memory pressure (OOM), 0 Workers crashed due to other reasons
    (raylet) The node with node id: 1a2b and address: 10.0.0.2 has been marked dead because the detector has missed too many heartbeats from it.
    ray.exceptions.OutOfMemoryError: Task was killed due to the node running low on memory.
    ray.exceptions.ActorDiedError: The actor died unexpectedly before finishing this task.

Meaning
    Ray kills workers when the host's memory runs low: an exit that the server's own lines do not explain.

Source
    Ray `ray/_private/ray_logging`, `raylet/node_manager.cc`, `exceptions.py`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

_EVENT = r"(?:(?=.{0,600}?(?P<event>memory pressure|running low on memory|marked dead|died unexpectedly|SYSTEM_ERROR|Spilled)))?"

FAMILY = Family(
    shapes=(
        Shape(
            rf"(?P<printed_time>\d{{4}}-\d\d-\d\d [\d:,]+)[\t ]+(?P<level>[A-Z]+) (?P<source>\S+:\d+) -- {_EVENT}(?P<text>.*)",
            contains=" -- ",
        ),
        Shape(
            rf"(?:\[(?P<printed_time>\d{{4}}-\d\d-\d\d [\d:,]+) (?P<level>[A-Z]) \d+ \d+\] )?\((?P<component>raylet|gcs_server|core_worker|autoscaler|scheduler)[^)]*\) (?:(?P<source>\S+\.cc:\d+): )?{_EVENT}(?P<text>.*)",
            contains=") ",
        ),
        Shape(
            rf"^(?P<source>ray\.exceptions\.\w+): {_EVENT}(?P<text>.*)",
            ("ray.exceptions.",),
            scope="line",
        ),
    ),
    columns=(
        Column("printed_time", "text", "Time as printed."),
        Column("level", "text", "Level as printed."),
        Column("component", "text", "raylet, gcs_server, …"),
        Column("source", "text", "Source file and line, or the exception."),
        Column("event", "text", "The telling words: memory pressure, marked dead, …"),
        Column("text", "text", "The message."),
    ),
    shared=True,
)
