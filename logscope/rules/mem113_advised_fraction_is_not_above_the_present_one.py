"""The refusal advises a fraction that is not above the present one.

What it says
    The value after `Raise --mem-fraction-static above` is not larger than the value in force.

Why it matters
    The weights fit; states of a hybrid model or a reserve for images took the rest. Setting the advised number
    lowers the fraction. A smaller max_mamba_cache_size, or a fraction above the floor by the states, helps.

Example
    under --mem-fraction-static=0.85. Raise --mem-fraction-static above 0.770.

Silent when
    The refusal advises no value, or a larger one.

Source
    `kv_cache_configurator.py`, 0.5.14 and later.
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.rules._compared import at_least, compared

SEVERITY = "warning"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    rows = [
        row
        for row in launch.rows("budget_refused")
        if row.get("suggested_fraction") is not None and row.get("fraction") is not None
    ]
    if not rows:
        raise FactMissing("no refusal advises a fraction")
    wrong = [row for row in rows if row["suggested_fraction"] <= row["fraction"]]
    if not wrong:
        return None
    row = wrong[0]
    return compared(
        f"The refusal at {row['fraction']:g} advises more than {row['suggested_fraction']:g}: the weights fit, and states or reserves took the rest.",
        row.quantity("suggested_fraction"),
        at_least(row["fraction"]),
        "an advice above the fraction in force",
    )
