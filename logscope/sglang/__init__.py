"""All that is known of SGLang by release: the releases, their server arguments, and what they compute from what."""

from __future__ import annotations

from logscope.sglang.releases import (
    FIRST,
    LAST,
    RELEASES,
    Release,
    ReleaseRange,
    after,
    before,
    between,
    exactly,
    order,
)

__all__ = ["FIRST", "LAST", "RELEASES", "Release", "ReleaseRange", "after", "before", "between", "exactly", "order"]
