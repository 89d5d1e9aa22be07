r"""What programs that record or follow other programs' output say of themselves.

Why
    The journal's reader, `script`, stern and Ray's worker files put lines at the ends of what they hold, none of them the server's.

Sample
    -- Logs begin at Mon 2026-01-12 00:00:00 UTC, end at Mon 2026-01-12 05:00:00 UTC. --
    -- Journal begins at Mon 2026-01-12 00:00:00 UTC, ends at Mon 2026-01-12 05:00:00 UTC. --
    -- Boot 0639f8d2a1b74c55a3f0d1c2b3a49586 --
    -- No entries --
    Script started on 2026-01-12 02:47:00+00:00 [TERM="xterm" TTY="/dev/pts/0" COLUMNS="237" LINES="50"]
    Script done on 2026-01-12 03:47:00+00:00 [COMMAND_EXIT_CODE="0"]
    + sglang-0 › sglang
    - sglang-0 › sglang
    :job_id:01000000
    :actor_name:SGLangEngine
"""

from __future__ import annotations

from logscope.family import Noise

_PROGRAM = "a recorder"
_REASON = "begin or end of what it recorded"

NOISE = (
    Noise(
        _PROGRAM,
        _REASON,
        r"-- (?:(?:Logs|Journal) begins? at .*|Boot [0-9a-f]{32}|No entries|Reboot) ?--\s*$",
        starts=("-- Logs", "-- Journal", "-- Boot", "-- No", "-- Reboot"),
    ),
    Noise(_PROGRAM, _REASON, r"Script (?:started|done) on \d{4}-.*\]\s*$", starts=("Script ",)),
    Noise(_PROGRAM, _REASON, r"[+-] (?:[\w.-]+ )?[\w.-]+ › [\w.-]+\s*$", starts=("+ ", "- ")),
    Noise(
        _PROGRAM, _REASON, r":(?:job_id:[0-9a-f]+|(?:actor|task)_name:\S+)\s*$", starts=(":job_id", ":actor_", ":task_")
    ),
)
