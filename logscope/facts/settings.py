"""Server arguments as quantities: what the dump says, and the line that says it."""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.launch import Launch
from logscope.quantity import Quantity


def number(launch: Launch, name: str, unit: str = "") -> Quantity:
    """A numeric argument, exact as the dump prints it; raises FactMissing when it is absent, not set or no number."""
    value = launch.argument(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise FactMissing(f"launch {launch.id} sets no number for {name}")
    return Quantity.exact(name, value, unit, line=launch.arguments_line)


def size(launch: Launch, name: str) -> int:
    """A parallel size or another count that is 1 where nothing is set."""
    value = launch.arguments.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 1


def says(launch: Launch, name: str) -> bool:
    """Whether the dump switches this on; raises FactMissing when the dump does not hold it."""
    return bool(launch.argument(name))


def set_to(launch: Launch, name: str) -> bool:
    """Whether the dump holds a value that is neither off nor the word for it; False without a dump."""
    return launch.arguments.get(name) not in (None, False, "", "null", "None")


def disaggregated(launch: Launch) -> bool:
    """Whether prefill and decode run on different servers here: the counters of such a pair mean something else."""
    decode = launch.table("decode_batch")
    prefill = launch.table("prefill_batch")
    printed = any(
        name in table.column_names and table[name].null_count < table.num_rows
        for table in (decode, prefill)
        for name in ("transfer_requests", "preallocated_usage_share", "inflight_requests", "bootstrap_requests")
    )
    return printed or set_to(launch, "disaggregation_mode") or launch.has("disaggregation")


def shared_memory(launch: Launch) -> bool:
    """Whether the device's free memory is that of the machine, which moves within seconds (CPU, Apple silicon)."""
    return launch.arguments.get("device") in ("cpu", "mps") or launch.has("mlx_pool")


_ELSEWHERE = (
    "enable_hierarchical_cache",
    "enable_lmcache",
    "enable_hisparse",
    "enable_streaming_session",
    "enable_session_radix_cache",
)


def caches_elsewhere(launch: Launch) -> bool:
    """Whether another cache or sessions lock slots, or bring prefixes, beside the requests that run."""
    return any(set_to(launch, name) for name in _ELSEWHERE)
