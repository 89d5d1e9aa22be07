"""What of a draft was accepted, by each meaning that the rate has had: which of them the printed lines have.

The rate is length / (steps + 1) (`steps`), length / D (`draft`) or (length − 1) / (D − 1) (`net`), D the draft tokens.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from logscope.errors import NotApplicable
from logscope.facts import batches, settings
from logscope.launch import Rank

EQUATIONS = {"steps": "length ÷ (steps + 1)", "draft": "length ÷ D", "net": "(length − 1) ÷ (D − 1)"}
"""How each meaning of the rate is computed."""
_GAIN_OF_A_STEP = 0.15  # of the accepted length, which a draft step must give to pay for its forward
_ROUNDING = 0.0101
_LENGTH_ROUNDING = 0.0051


@dataclass(frozen=True, slots=True)
class Rates:
    """The rates that one meaning computes from the lengths, one a decode line, and which printed rates are others."""

    computed: NDArray[np.float64]
    other: NDArray[np.bool_]
    printed: int  # how many lines print both, the rate as a share
    draft_tokens: float

    @property
    def fits(self) -> bool:
        """Whether most of the lines have this meaning: a mean of few steps may be off."""
        return bool(self.other.sum() <= self.printed / 2)


def least_length(steps: float) -> float:
    """The accepted length below which so many draft steps cost more than they gain."""
    return 1 + _GAIN_OF_A_STEP * steps


def rates(rank: Rank, meaning: str) -> Rates:
    """The decode lines of a rank by one of `EQUATIONS`. Raises NotChecked where no line or argument tells."""
    launch = rank.launch
    length = batches.column(rank, "decode_batch", "accept_length_tokens")
    rate = batches.column(rank, "decode_batch", "accept_rate_share")
    if settings.set_to(launch, "speculative_adaptive"):
        raise NotApplicable("the steps of the draft change while the server runs")
    draft = settings.number(launch, "speculative_num_draft_tokens", "tokens").value
    if meaning not in EQUATIONS or draft < 2:
        raise NotApplicable("this release prints no rate, or nothing is drafted")
    steps = settings.number(launch, "speculative_num_steps", "steps").value if meaning == "steps" else 0.0
    computed = {"steps": length / (steps + 1), "draft": length / draft, "net": (length - 1) / (draft - 1)}[meaning]
    both = np.isfinite(length) & (rate >= 0) & (rate <= 1)
    other = both & (np.abs(rate - computed) > _ROUNDING + _LENGTH_ROUNDING / (draft - 1))
    return Rates(computed, other, int(both.sum()), draft)
