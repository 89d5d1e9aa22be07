"""The fraction and the chunk are those of a device whose capacity could not be read.

What it says
    mem_fraction_static and chunked_prefill_size are the two values that the release takes when it cannot read the
    memory of the device.

Why it matters
    They were chosen for no device: 5 % of 64 GB are 3.2 GB for everything else. Set the fraction yourself.

Example
    0.95 and 4096 in 0.5.20 and later, 0.88 and 4096 before.

Silent when
    The release is not known closely enough, or one of the two differs.

Source
    `ServerArgs._handle_gpu_memory_settings`.
"""

from __future__ import annotations

from logscope.errors import NotApplicable
from logscope.facts import settings
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.sglang.sizing import sizing

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    fraction = settings.number(launch, "mem_fraction_static", "share")
    chunk = settings.number(launch, "chunked_prefill_size", "tokens")
    if launch.arguments.get("device") == "cpu" or not launch.release.since("0.4.7.post1"):
        raise NotApplicable("a host, or a release that chooses the same for a known device")
    fallback = launch.release.ask(
        lambda release: (sizing(release).fraction_unknown, sizing(release).unknown_class.chunk_tokens or -1)
    )
    if fraction.value != fallback[0] or chunk.value != fallback[1] or _capacity_known(launch):
        return None
    return Finding(
        message=f"{fraction.value:g} with a chunk of {chunk.value:,.0f} is what {launch.release} takes when the capacity of the device cannot be read.",
        evidence=(launch.arguments_line,),
    )


def _capacity_known(launch: Launch) -> bool:
    """Whether a device of 35 to 60 GiB, for which the same chunk is the default, was filled here."""
    rows = [row["avail_mem_gib"] for row in launch.rows("load_weight") if row.get("avail_mem_gib") is not None]
    return bool(rows) and 24 <= max(rows) <= 60 and fraction_is_given(launch)


def fraction_is_given(launch: Launch) -> bool:
    """Whether the fraction has fewer than three decimals, as people give it."""
    return len(str(launch.argument("mem_fraction_static")).partition(".")[2]) < 3
