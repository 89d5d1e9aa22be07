"""Throughput: the tokens between two batch lines of a rank, divided by the seconds between them.

throughput · seconds = tokens. A decode line counts steps · running tokens, times the accepted length with
speculation; a prefill line counts its own new tokens from 0.5.11 on, those of the line before it in 0.4.8–0.5.10.
It is not the speed of the prefill: after an idle time it is near zero. Stamps of whole seconds leave ±1 s, give
them as the interval of `seconds`.

Releases: decode 0.1.20 and later, prefill 0.4.8 and later. Exempt: the first line of a rank.
Source: `SchedulerMetricsMixin.log_decode_stats`, `log_prefill_stats`.
"""

from __future__ import annotations

from logscope.expression import Const
from logscope.relation import Relation
from logscope.relations import Setting
from logscope.relations._variables import (
    ACCEPT_LENGTH,
    DECODE_STEPS,
    INTERVAL_TOKENS,
    RUNNING,
    SECONDS,
    THROUGHPUT,
)
from logscope.sglang.releases import order

PER_REQUEST = Const(1, "1/request")
STEP_TOKEN = Const(1, "tokens/step")
SOURCE = "SchedulerMetricsMixin.log_decode_stats"


def relations(setting: Setting) -> list[Relation]:
    """Tokens from rate and time, and the tokens of a steady decode interval."""
    per_step = ACCEPT_LENGTH if setting.speculative else STEP_TOKEN
    steady = DECODE_STEPS * RUNNING * PER_REQUEST * per_step
    return [
        Relation("throughput", INTERVAL_TOKENS, THROUGHPUT * SECONDS, source=SOURCE),
        Relation("steady_decode", INTERVAL_TOKENS, steady, source=SOURCE),
    ]


def counts_own_line(release: str) -> bool:
    """Whether a prefill line counts its own new tokens; before 0.5.11 it counts those of the line before."""
    return order(release) >= order("0.5.11")
