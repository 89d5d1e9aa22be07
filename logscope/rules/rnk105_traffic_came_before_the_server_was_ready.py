"""Traffic came before the server was ready.

What it says
    More requests were prefilled before the ready line than a warm-up sends.

Why it matters
    Clients do not wait for readiness: their first requests share the warm-up, and time out where it compiles.

Example
    200 requests before `The server is fired up and ready to roll!`.

Silent when
    No ready line, or a few requests for each replica.

Source
    `_wait_and_warmup`.
"""

from __future__ import annotations

import numpy as np

from logscope.errors import FactMissing
from logscope.facts import batches, settings
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.quantity import Quantity
from logscope.rules._compared import at_most, compared

SEVERITY = "note"
KIND = "smell"
_WARM_UP = 16


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    ready = launch.rows("ready")
    if not ready or not launch.has("capacity"):
        raise FactMissing("the start is not whole in the log")
    lines = batches.column(launch, "prefill_batch", "line")
    requests = batches.column(launch, "prefill_batch", "new_sequences")
    early = float(np.nansum(requests[lines < ready[0].ref.line]))
    most = _WARM_UP * settings.size(launch, "dp_size")
    if early <= most or len(launch.pieces) > 1:
        return None
    observed = Quantity.exact("requests_before_ready", early, "requests", line=ready[0].ref)
    return compared(
        f"{early:,.0f} requests were prefilled before the server was ready.",
        observed,
        at_most(float(most)),
        "requests of a warm-up",
        batches.ref(launch, "prefill_batch", 0),
    )
