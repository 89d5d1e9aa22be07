"""The machine has devices of different size.

What it says
    The nvidia-smi screen beside the log lists devices with different totals.

Why it matters
    The automatic fraction, chunk and graph sizes follow the smallest device of the machine, whichever are visible.
    Give them explicitly.

Example
    24564 MiB and 81559 MiB.

Silent when
    No such screen, one device, or equal ones.

Source
    `get_device_memory_capacity`: the least of all lines of nvidia-smi.
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.rules._compared import compared

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    rows = [row for row in launch.rows("nvidia_smi") if row.get("memory_total_mib") is not None]
    if len(rows) < 2:
        raise FactMissing("no screen lists two devices")
    least, most = (
        min(rows, key=lambda row: int(row["memory_total_mib"])),
        max(rows, key=lambda row: int(row["memory_total_mib"])),
    )
    if least["memory_total_mib"] >= 0.98 * most["memory_total_mib"]:
        return None
    return compared(
        f"The devices have {least['memory_total_mib']:,} to {most['memory_total_mib']:,} MiB: automatic settings follow the smallest.",
        least.quantity("memory_total_mib"),
        float(most["memory_total_mib"]),
        "the largest device",
        most.ref,
    )
