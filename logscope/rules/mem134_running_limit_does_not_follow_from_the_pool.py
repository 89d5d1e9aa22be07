"""max_running_requests does not follow from pool, context and arguments.

What it says
    The printed limit is none that a release in range computes.

Why it matters
    Another release, another pool or a hidden setting made it. Known fingerprints are half of the pool, 2048, 4096
    and 48 with speculation.

Example
    Pool 20,000, context 2,048 give 4096 in 0.4.10; 3000 fits no release.

Silent when
    States of a hybrid model, sizing after the capture, MLX, pipeline stages or separate servers play a part, the
    server said that it reduced the limit, no dump is in the log, or a release fits.

Source
    `ModelRunner.init_memory_pool`, `TpModelWorker.__init__`.
"""

from __future__ import annotations

from logscope.errors import FactMissing, NotApplicable
from logscope.facts import limits, settings
from logscope.finding import Finding
from logscope.launch import Launch, Rank
from logscope.rules._compared import compared, judged
from logscope.sglang.requests import default_running, max_running

SEVERITY = "note"
KIND = "mismatch"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    return judged(launch, "capacity", _of)


def _of(rank: Rank) -> Finding | None:
    launch = rank.launch
    limits.whole(rank)
    if launch.has("mlx_pool", "limit_notice") or settings.size(launch, "pp_size") > 1 or settings.disaggregated(launch):
        raise NotApplicable("another rule sets the limit")
    if any(str(row.get("kind", "")).startswith("post_capture") for row in rank.rows("kv_pool")):
        raise NotApplicable("the pool is sized after the capture")
    pool, context, printed = limits.pool(rank), limits.context(rank), limits.running(rank)
    asked = launch.argument("max_running_requests")
    spec = launch.argument("speculative_algorithm")
    replicas = settings.size(launch, "dp_size") if settings.set_to(launch, "enable_dp_attention") else 1
    found: dict[int, str] = {}
    for release in launch.release.releases:
        given = asked if isinstance(asked, int) else default_running(release, spec)
        value = max_running(release, int(pool.value), int(context.value), max_running_requests=given, dp_size=replicas)
        found.setdefault(value, release)
    if not found:
        raise FactMissing("no release fits this launch")
    if any(abs(printed.value - value) <= 1 for value in found):
        return None
    nearest = min(found, key=lambda value: abs(value - printed.value))
    return compared(
        f"{printed.value:,.0f} requests may run; {found[nearest]} computes {nearest:,} from {pool.value:,.0f} tokens and a context of {context.value:,.0f}.",
        printed,
        float(nearest),
        "max_running_requests from pool, context and arguments",
        launch.arguments_line,
    )
