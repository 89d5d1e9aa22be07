"""The relations of a prediction: budget, pools and table as the launch sizes them, and what is left beside them."""

from __future__ import annotations

from logscope.expression import Const, Expression, Var, maximum
from logscope.fraction_window import CHUNK_GIB
from logscope.relation import Relation
from logscope.relations import Setting, relations_of
from logscope.relations import _variables as v

ALLOCATOR = Var("allocator_rounding", "GiB", says="the rounding of the allocator")
HEADROOM = Var("headroom", "GiB", says="what is left for activations and workspaces")
CHUNK = Var("chunked_prefill_size", "tokens", 0, says="a chunk")
CHUNK_ACTIVATIONS = Var("chunk_activations", "GiB", 0, says="the activations of a chunk")
DRAFT_WEIGHTS = Var("draft_weights", "GiB", 0, says="the weights of a draft")
DRAFT_POOL = Var("draft_pool", "GiB", 0, says="the size of a pool")
DRAFT_SHARE = Var("draft_share", "share", 0, says="the draft's pool by the size of the target's")
STATE_SHARE = Var("state_share", "share", 0, says="the states by the size of the pool")
FULL_REQUESTS = Var("full_context_requests", "requests", 0, says="a number of requests")


def model(setting: Setting, *, tabled: bool = True, context_tokens: float | None = None) -> list[Relation]:
    """The relations of a prediction: budget, pool, table, and what is left."""
    table = ("request_table",) if tabled else ()
    found = list(relations_of(setting, ("static_budget", "pool_tokens", "mlx_budget", *table)).relations)
    requests = Const(1, "requests")
    context = v.CONTEXT_LENGTH if context_tokens is None else Const(context_tokens, "tokens")
    found.append(Relation("full_context_requests", FULL_REQUESTS, v.TOKENS / context * requests))
    if setting.mlx:
        return found
    left: Expression = v.AVAIL_AFTER_LOAD - v.KV_POOL - ALLOCATOR
    left = left - v.REQUEST_TABLE if tabled else left
    headroom: Expression = v.AVAIL_POOL_END - v.GRAPH_MEMORY
    if "state" in setting.pools:
        left = left - v.STATE_POOL
        if not setting.state_fixed:
            found.append(Relation("state_share", v.STATE_POOL, v.KV_POOL * STATE_SHARE))
    if "draft" in setting.pools:
        headroom = headroom - DRAFT_WEIGHTS - DRAFT_POOL
        found.append(Relation("draft_share", DRAFT_POOL, v.KV_POOL * DRAFT_SHARE))
    per_token = Const(CHUNK_GIB, "GiB/token")
    return [
        *found,
        Relation("pool_end", v.AVAIL_POOL_END, left),
        Relation("headroom", HEADROOM, headroom),
        Relation("chunk_activations", CHUNK_ACTIVATIONS, maximum(CHUNK, 2048) * per_token),
    ]
