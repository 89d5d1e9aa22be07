"""The fraction is large for a device that shares the memory of the host.

What it says
    A GB10 runs with a static fraction above 0.6.

Why it matters
    Its memory is that of the machine: page cache, compilers and graphs burst into what the fraction leaves, and the
    machine swaps or ends processes. Leave 25 to 40 GB.

Example
    mem_fraction_static=0.85 on 120 GiB leaves 18 GiB for the machine.

Silent when
    The device is not known, another one, or the fraction is smaller.

Source
    `get_available_gpu_memory` on integrated devices.
"""

from __future__ import annotations

from logscope.errors import FactMissing, NotApplicable
from logscope.facts import settings
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.rules._compared import at_most, compared

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    names = [row for row in launch.rows("nvidia_smi") if row.get("name") is not None]
    if not names:
        raise FactMissing("no line names the device")
    if "GB10" not in names[0]["name"]:
        raise NotApplicable(f"{names[0]['name']} has memory of its own")
    fraction = settings.number(launch, "mem_fraction_static", "share")
    if fraction.value <= 0.6:
        return None
    return compared(
        f"{fraction.value:g} of memory that {names[0]['name']} shares with the host is static.",
        fraction,
        at_most(0.6),
        "room for the host",
        names[0].ref,
    )
