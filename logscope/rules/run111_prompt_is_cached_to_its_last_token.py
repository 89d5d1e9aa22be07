"""A request is cached to its last token.

What it says
    cached_tokens of a finished request is at least its prompt_tokens.

Why it matters
    At least the last prompt token is always computed, so that there are logits. Retractions of older releases count
    a prefix twice; else the numbers belong to different requests.

Example
    prompt_tokens 13 with cached_tokens 13.

Silent when
    No finished request prints both, requests were retracted in this launch, or every one leaves a token.

Source
    `PrefillAdder`, `Req.init_next_round_input`; `TokenizerManager`.
"""

from __future__ import annotations

from logscope.errors import FactMissing, NotApplicable
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.rules._compared import at_most, compared

SEVERITY = "note"
KIND = "mismatch"


def check(launch: Launch) -> Finding | None:
    """The first request that shows it."""
    if launch.has("retraction"):
        raise NotApplicable("retracted requests count their prefix again")
    rows = [
        row for row in launch.rows("request_log") if row.get("prompt_tokens") and row.get("cached_tokens") is not None
    ]
    if not rows:
        raise FactMissing("no finished request prints its cached tokens")
    whole = [row for row in rows if row["cached_tokens"] >= row["prompt_tokens"]]
    if not whole:
        return None
    row = whole[0]
    return compared(
        f"{row['cached_tokens']:,} of {row['prompt_tokens']:,} prompt tokens came from the cache: one at least is always computed. {len(whole)} of {len(rows)} requests.",
        row.quantity("cached_tokens"),
        at_most(row["prompt_tokens"] - 1.0),
        "cached_tokens ≤ prompt_tokens − 1",
    )
