"""Inputs that a scheduler refused for their length, with the limit it works with.

Source: `validate_input_length`: `Input length (X tokens) exceeds the maximum allowed length (Y tokens)`. The front
end's sentences about the model's context have another limit and are left out.
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.launch import Rank, Row


def refused(rank: Rank) -> list[Row]:
    """The refusals of a rank; raises FactMissing when there is none."""
    rows = [
        row
        for row in rank.rows("request_refused")
        if row.get("limit_tokens") is not None and str(row.get("text", "")).startswith("Input length")
    ]
    if not rows:
        raise FactMissing(f"{rank.name} refused no input for its length")
    return rows
