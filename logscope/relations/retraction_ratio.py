"""The ratio of new tokens between two retractions: it decays with every decode step, so it is a clock of steps.

ratio_before(next) = max( ratio_after(last) − steps · (start − least) / 600 , least ), with start = min(0.7 · s, 1)
and least = min(0.14 · start, 1), s the schedule conservativeness. A ratio printed before a retraction that lies at
the floor tells the conservativeness (floor = 0.098 · s) and only a bound of the steps. Printed to two or four
decimals.

Releases: 0.3.6 and later decay linearly over 600 steps. Exempt: an idle scheduler resets the ratio to its start;
the variables `SGLANG_INIT_NEW_TOKEN_RATIO`, `SGLANG_MIN_NEW_TOKEN_RATIO_FACTOR`,
`SGLANG_NEW_TOKEN_RATIO_DECAY_STEPS`.
Source: `Scheduler.update_running_batch`, `global_config.default_init_new_token_ratio`.
"""

from __future__ import annotations

from logscope.errors import NotApplicable
from logscope.expression import Const, maximum, minimum
from logscope.relation import Relation
from logscope.relations import Setting
from logscope.relations._variables import CONSERVATIVENESS, DECAY_STEPS, RATIO_AFTER, RATIO_BEFORE
from logscope.sglang.releases import order

START = 0.7
LEAST = 0.14
STEPS = Const(600, "steps")


def relations(setting: Setting) -> list[Relation]:
    """The decay from one retraction to the next. Raises NotApplicable."""
    if not setting.release.ask(lambda release: order(release) >= order("0.3.6")):
        raise NotApplicable("the decay of earlier releases is another")
    start = minimum(CONSERVATIVENESS * START, 1)
    least = minimum(start * LEAST, 1)
    decayed = RATIO_AFTER - DECAY_STEPS * (start - least) / STEPS
    return [
        Relation("ratio_decay", RATIO_BEFORE, maximum(decayed, least), source="Scheduler.update_running_batch"),
        Relation("ratio_floor", RATIO_BEFORE, least, "≥", source="Scheduler.update_running_batch"),
    ]
