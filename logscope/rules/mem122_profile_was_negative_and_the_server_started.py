"""The profiled pool was negative and the server started.

What it says
    A warning names a negative profiled value, and the launch reached its capacity line.

Why it matters
    A negative profile ends every start, except for the draft worker of 0.5.9, whose own profile is replaced right
    after. The warning belongs to another start or rank.

Example
    is larger than the profiled value -561981, followed by max_total_num_tokens=20000.

Silent when
    No negative profile is printed, the start failed, or the release may be 0.5.9.

Source
    `ModelRunner.profile_max_num_token`, `init_memory_pool` (0.5.16 and later `mem_cache/kv_cache_configurator.py`).
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.rules._compared import at_least, compared

SEVERITY = "warning"
KIND = "mismatch"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    rows = [row for row in launch.rows("kv_pool") if row.get("kind") == "profiled" and row.get("tokens", 0) < 0]
    if not rows:
        raise FactMissing("no negative profile is printed")
    if "0.5.9" in launch.release or not launch.has("capacity"):
        return None
    row = rows[0]
    return compared(
        f"The profiled pool is {row['tokens']:,} tokens, and the server started.",
        row.quantity("tokens"),
        at_least(1.0),
        "a start needs a positive profile",
        launch.rows("capacity")[0].ref,
    )
