"""An input was refused although it is within its limit.

What it says
    The length in the refusal is not larger than the limit in the same sentence.

Why it matters
    The sentence is printed only for longer inputs: it was edited.

Example
    Input length (500 tokens) exceeds the maximum allowed length (594 tokens).

Silent when
    No input was refused for its length, or the length is larger.

Source
    `validate_input_length` (`managers/utils.py`).
"""

from __future__ import annotations

from logscope.facts import long_inputs
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import at_least, contradiction, judged

SEVERITY = "warning"
KIND = "impossible"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "request_refused", _of)


def _of(rank: Rank) -> Finding | None:
    rows = long_inputs.refused(rank)
    wrong = [row for row in rows if row["input_tokens"] <= row["limit_tokens"]]
    if not wrong:
        return None
    row = wrong[0]
    return contradiction(
        f"An input of {row['input_tokens']:,} tokens was refused at a limit of {row['limit_tokens']:,}.",
        row.quantity("input_tokens"),
        at_least(row["limit_tokens"] + 1.0),
        "refused: longer than the limit",
    )
