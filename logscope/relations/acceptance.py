"""How much of a draft is accepted: a length in tokens a step with the bonus token, and a rate whose meaning changed.

1 ≤ length ≤ min(steps + 1, D), D the draft tokens of a step. The rate is length / (steps + 1) in 0.5.4–0.5.5,
length / D in 0.5.6–0.5.10, (length − 1) / (D − 1) from 0.5.11 on: 2.6 of 4 reads 0.65 in the older ones and 0.53
since. Both are printed to two decimals of means over the same interval.

Releases: length 0.4.2 and later, rate 0.5.4 and later. Exempt: the worker that counts two tokens of its own (0.5.20
and later), n-gram drafts for the bound by steps.
Source: `SchedulerMetricsMixin.log_decode_stats`.
"""

from __future__ import annotations

from logscope.errors import NotApplicable
from logscope.relation import Relation
from logscope.relations import Setting
from logscope.relations._variables import ACCEPT_LENGTH, ACCEPT_RATE, DRAFT_STEPS, DRAFT_TOKENS
from logscope.sglang.releases import order

ERAS = (("0.5.4", "steps"), ("0.5.6", "draft"), ("0.5.11", "net"))
ROUNDING = 0.005
SOURCE = "SchedulerMetricsMixin.log_decode_stats"


def era(release: str) -> str:
    """What a release divides by: `steps` (steps + 1), `draft` (D), `net` (both less the bonus), or `none`."""
    found = "none"
    for first, name in ERAS:
        if order(release) >= order(first):
            found = name
    return found


def relations(setting: Setting) -> list[Relation]:
    """The bound of the length and, where the release prints one, the rate. Raises NotApplicable."""
    if not setting.speculative:
        raise NotApplicable("no speculative decoding")
    one = 1.0
    rates = {
        "steps": ACCEPT_LENGTH / (DRAFT_STEPS + one),
        "draft": ACCEPT_LENGTH / DRAFT_TOKENS,
        "net": (ACCEPT_LENGTH - one) / (DRAFT_TOKENS - one),
    }
    found = [Relation("accept_length", ACCEPT_LENGTH, DRAFT_TOKENS, "≤", sensor=ROUNDING, source=SOURCE)]
    known = setting.release.ask(era)
    if known in rates:
        found.append(Relation("accept_rate", ACCEPT_RATE, rates[known], sensor=ROUNDING, source=SOURCE))
    return found
