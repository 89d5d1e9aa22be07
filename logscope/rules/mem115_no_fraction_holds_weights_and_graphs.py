"""No fraction holds both the weights and what a forward needs.

What it says
    The floor of the weights, the captured graphs and half a MiB a token of the chunk together are more than the
    whole device.

Why it matters
    Every fraction fails, at sizing below the floor and in the capture or the first prefill above it. More ranks,
    quantised weights, a smaller chunk or fewer graphs are needed.

Example
    Weights 76 of 79 GiB, chunk 8192: 96 % + 5 %.

Silent when
    The server became ready, the lines around the weights or the chunk are missing, or there is a window.

Source
    `ServerArgs._handle_gpu_memory_settings` (the reserve); `profile_max_num_token`.
"""

from __future__ import annotations

from logscope.errors import NotApplicable
from logscope.facts import memory, settings
from logscope.facts.states import was_ready
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.quantity import Interval, Quantity
from logscope.rules._compared import at_most, compared, judged

SEVERITY = "warning"
KIND = "smell"
_MIB_A_TOKEN = 0.5


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "load_weight", _of)


def _of(rank: Rank) -> Finding | None:
    launch = rank.launch
    if was_ready(launch):
        raise NotApplicable("the server became ready, so a fraction exists")
    chunk = settings.number(launch, "chunked_prefill_size", "tokens")
    if chunk.value <= 0:
        raise NotApplicable("chunked prefill is off")
    before, after = memory.available_before_load(rank), memory.available_after_load(rank)
    floor = 1 - after.interval / before.interval
    need = floor + Interval.exact(_MIB_A_TOKEN * chunk.value / 1024) / before.interval
    if need.lo <= 1:
        return None
    observed = Quantity("floor_and_activations", need.mid, need, "share", after.line, "computed", rank.name)
    return compared(
        f"The weights take {100 * floor.mid:.1f} % of the free memory and a chunk of {chunk.value:,.0f} tokens about {100 * (need.mid - floor.mid):.1f} %: no fraction leaves room for both and a pool.",
        observed,
        at_most(1.0),
        "1 − after ÷ before + 0.5 MiB · chunked_prefill_size ÷ before < 1",
        before.line,
        chunk.line,
    )
