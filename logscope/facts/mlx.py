"""The MLX backend's sizing, which prints every input of its rule: the snapshot, the budget, the cell, the private
buffers.

Source: `MlxModelRunner._compute_pool_size`. GB are GiB. Every running request owns private buffers of at least 4096
tokens outside the pool (`ContiguousKVCache`).
"""

from __future__ import annotations

from dataclasses import dataclass

from logscope.errors import FactMissing, NotApplicable
from logscope.launch import Launch
from logscope.quantity import Interval, Quantity

PRIVATE_TOKENS = 4096


@dataclass(frozen=True, slots=True)
class Sizing:
    """One `Auto-sized … KV pool` line."""

    available: Quantity
    budget: Quantity
    cell: Quantity
    tokens: Quantity

    @property
    def pool_share(self) -> Interval:
        """Which share of the free memory the pool took."""
        return self.budget.interval / self.available.interval

    @property
    def outside(self) -> Interval:
        """GiB left outside the pool at that moment, for everything else on the machine."""
        return self.available.interval - self.budget.interval

    @property
    def private_gib(self) -> float:
        """GiB of private buffers that one running request owns at least."""
        return self.cell.value * PRIVATE_TOKENS / 2**30


def sizing(launch: Launch) -> Sizing:
    """The sizing of the launch; raises NotApplicable on another backend."""
    if not launch.has("mlx_pool"):
        raise NotApplicable("not the MLX backend")
    for row in launch.rows("mlx_pool"):
        if row.get("kv_budget_gib") is not None:
            return Sizing(
                row.quantity("sys_available_gib", "sys_available"),
                row.quantity("kv_budget_gib", "kv_budget"),
                row.quantity("bytes_per_slot", "bytes_per_token"),
                row.quantity("pool_size_tokens", "pool_size"),
            )
    raise FactMissing("the MLX backend printed no Auto-sized KV pool line")
