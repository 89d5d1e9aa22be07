"""The pool is the smallest that the MLX backend makes.

What it says
    pool_size is 256 tokens: the budget was zero or nearly.

Why it matters
    No error is raised, the server says ready, and no real prompt fits. A smaller model, or a larger fraction of the
    working set, is needed.

Example
    kv_budget=0.00 GB, pool_size=256.

Silent when
    Another backend, or a larger pool.

Source
    `MlxModelRunner._compute_pool_size`.
"""

from __future__ import annotations

from logscope.facts import mlx
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.rules._compared import at_least, compared

SEVERITY = "warning"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    found = mlx.sizing(launch)
    if found.tokens.value > 256:
        return None
    return compared(
        f"The pool has {found.tokens.value:,.0f} tokens, the floor of the backend: {found.budget.value:.2f} GiB were left for it.",
        found.tokens,
        at_least(257.0),
        "a budget for more than the floor",
    )
