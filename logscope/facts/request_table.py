"""Whether a failed allocation is the request-to-token table: (requests + 1) · (context + 4) · 4 bytes.

Source: `ReqToTokenPool.__init__` (`mem_cache/memory_pool.py`); requests are clamped to 2048 … 4096 unless they are
given.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from logscope.errors import FactMissing
from logscope.launch import Launch
from logscope.quantity import Quantity

_REQUESTS = (2048, 4096)
_ROUND = 1 << 14  # a context length that nobody states is believed only if it is a multiple of this
_LEAST = 1 << 17


@dataclass(frozen=True, slots=True)
class Table:
    requests: int
    context: int


def explained(launch: Launch, requested: Quantity) -> Table:
    """The table that has this size; raises FactMissing when none does within the printed precision."""
    given = launch.arguments.get("max_running_requests")
    context = launch.arguments.get("context_length")
    for requests in (given,) if isinstance(given, int) else _REQUESTS:
        per_request = requested.interval * float(1 << 30) / float((requests + 1) * 4) - 4.0
        if isinstance(context, int):
            if context in per_request:
                return Table(requests, context)
            continue
        whole = math.ceil(per_request.lo / _ROUND) * _ROUND
        if whole <= per_request.hi and whole >= _LEAST:
            return Table(requests, whole)
    raise FactMissing(f"{requested.value:g} GiB is no size of a request table")
