"""Token usage: the share of the pool that running requests hold.

usage = used_tokens / N, each printed on the same batch line, N the pool of that rank. Tokens of the radix cache that
can be evicted are not in it, so a low usage does not mean that the memory of the pool is free for others; the pool is
allocated whole. Printed to two decimals.

Releases: 0.1.20 and later. Exempt: hybrid models print one usage for each pool, and each goes with its own pool.
Source: `SchedulerMetricsMixin.log_prefill_stats`, `log_decode_stats`.
"""

from __future__ import annotations

from logscope.errors import NotApplicable
from logscope.relation import Relation
from logscope.relations import Setting
from logscope.relations._variables import TOKEN_USAGE, TOKENS, USED_TOKENS

ROUNDING = 1e-4
"""The rounding is that of the printed decimals; this is the least that a share of whole tokens can add."""


def relations(setting: Setting) -> list[Relation]:
    """Usage from tokens, and that no more tokens are used than there are. Raises NotApplicable."""
    if setting.pools - {"draft"}:
        raise NotApplicable("each pool of a hybrid model has a usage of its own")
    source = "SchedulerMetricsMixin.log_decode_stats"
    return [
        Relation("token_usage", TOKEN_USAGE, USED_TOKENS / TOKENS, sensor=ROUNDING, strength="identity", source=source),
        Relation("used_within_pool", USED_TOKENS, TOKENS, "≤", strength="identity", source=source),
    ]
