"""Flags that were renamed, by the releases that a log may be of."""

from __future__ import annotations

from logscope.launch import Launch
from logscope.sglang.releases import before

_SPLIT = "0.5.14"  # prefill and decode got captures of their own


def largest_graph(launch: Launch, *, prefill: bool = False) -> str:
    """The flag for the largest captured batch; both where the release may lie on either side of the change.

    Of a prefill graph the size is a number of tokens.
    """
    old, new = "--cuda-graph-max-bs", "--cuda-graph-max-bs-decode"
    if prefill:
        old, new = "--piecewise-cuda-graph-max-tokens", "--cuda-graph-max-bs-prefill"
    if launch.release.since(_SPLIT):
        return new
    return old if launch.release.until(before(_SPLIT)) else f"{old}; from {_SPLIT} on {new}"
