"""The automatic fraction: what is left of the device's capacity after a reserve, to three decimals.

f = round(1 − ρ / M, 3), with M the capacity in MiB (of the smallest device of the machine, whichever are visible)
and ρ the reserve for activations, graphs and parallel buffers, in MiB. Backwards, a printed automatic fraction
tells the class of the device: M lies between ρ / (1 − f + 0.0005) and ρ / (1 − f − 0.0005).

Releases: 0.4.8 and later; before that the fraction comes from a table over the number of ranks. Exempt: a fraction
that was given; multimodal models, whose factor is applied after the rounding; an unknown capacity, which gives a
constant.
Source: `ServerArgs.__post_init__` (0.4.8–0.5.2), `_handle_gpu_memory_settings` (0.5.3–0.5.18),
`arg_groups/memory_hook.py`.
"""

from __future__ import annotations

from logscope.errors import NotApplicable
from logscope.expression import rounded
from logscope.relation import Relation
from logscope.relations import Setting
from logscope.relations._variables import DEVICE_CAPACITY, FRACTION, FRACTION_RESERVE
from logscope.sglang.releases import order

FIRST = "0.4.8"


def relations(setting: Setting) -> list[Relation]:
    """The fraction from capacity and reserve. Raises NotApplicable."""
    if not setting.automatic:
        raise NotApplicable("the fraction was given, or nothing says that it was not")
    if setting.multimodal:
        raise NotApplicable("a multimodal model's factor is applied after the rounding")
    if not setting.release.ask(lambda release: order(release) >= order(FIRST)):
        raise NotApplicable("the fraction comes from a table over the number of ranks")
    fraction = rounded(1 - FRACTION_RESERVE / DEVICE_CAPACITY, 3)
    return [Relation("automatic_fraction", FRACTION, fraction, source="ServerArgs._handle_gpu_memory_settings")]
