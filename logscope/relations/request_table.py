"""The request table: which slots of the pool belong to which token of which request.

table · 2^30 = (n + 1) · (context_length + 4) · 4 bytes, with n the most requests that run at once. It is allocated
outside the static budget, out of what the fraction leaves: 2048 requests of a context of 10 million tokens take 80
GiB. Under data-parallel attention n is divided among the groups of ranks from 0.5.10 on. Exact to the one request and
the four tokens that differ between releases.

Releases: all. Exempt: MLX (its table is small and in host memory).
Source: `ReqToTokenPool`.
"""

from __future__ import annotations

from logscope.errors import NotApplicable
from logscope.expression import Const, Expression, floor
from logscope.relation import Relation
from logscope.relations import Setting
from logscope.relations._variables import BYTES_PER_GIB, CONTEXT_LENGTH, MAX_RUNNING_REQUESTS, REQUEST_TABLE
from logscope.sglang.releases import order

DIVIDED = "0.5.10"
ENTRY = Const(4, "bytes/request/token")


def relations(setting: Setting) -> list[Relation]:
    """The size of the table. Raises NotApplicable."""
    if setting.mlx:
        raise NotApplicable("the MLX backend keeps its request table elsewhere")
    requests: Expression = MAX_RUNNING_REQUESTS
    if setting.attention_groups > 1 and setting.release.ask(lambda release: order(release) >= order(DIVIDED)):
        requests = floor(MAX_RUNNING_REQUESTS / setting.attention_groups)
    table = (requests + 1) * (CONTEXT_LENGTH + 4) * ENTRY / BYTES_PER_GIB
    return [Relation("request_table", REQUEST_TABLE, table, tolerance=0.002, source="ReqToTokenPool")]
