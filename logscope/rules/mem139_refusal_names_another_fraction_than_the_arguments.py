"""The refusal names another fraction than the arguments.

What it says
    The fraction in the text of a refused start is not the mem_fraction_static of the dump.

Why it matters
    One of them belongs to another start; tuning then starts from the wrong number.

Example
    mem_fraction_static=0.85 in the dump, Current value: 0.8 in the refusal.

Silent when
    The refusal names none, no dump is in the log, the aiter backend or a multimodal model changes it, or they
    agree.

Source
    `ModelRunner.init_memory_pool`, 0.5.3–0.5.10 and 0.5.14 and later.
"""

from __future__ import annotations

from logscope.errors import FactMissing, NotApplicable
from logscope.facts import settings
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.quantity import Quantity
from logscope.rules._compared import compared

SEVERITY = "warning"
KIND = "mismatch"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    stated = settings.number(launch, "mem_fraction_static", "share")
    if launch.arguments.get("attention_backend") == "aiter" or launch.has("fraction_notice"):
        raise NotApplicable("the fraction is changed behind the printed one")
    rows = [row for row in launch.rows("budget_refused") if row.get("fraction") is not None]
    if not rows:
        raise FactMissing("no refusal names the fraction")
    other = [row for row in rows if round(row["fraction"], 4) != round(stated.value, 4)]
    if not other:
        return None
    printed = Quantity.exact(
        "mem_fraction_static", other[0]["fraction"], "share", line=other[0].ref, rank=other[0].rank
    )
    return compared(
        f"The refusal says {printed.value:g}, the arguments {stated.value:g}.",
        printed,
        stated.interval,
        "mem_fraction_static of the arguments",
        stated.line,
    )
