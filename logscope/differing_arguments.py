"""The server arguments of two starts that differ: who set them, and which of them did not move the pool."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from logscope.sglang import arguments
from logscope.sglang.releases import ReleaseRange


def different_arguments(a: Mapping[str, Any], b: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The server arguments that differ, by name; one that only one start prints stands alone."""
    rows = []
    for name in sorted({**a, **b}):
        if name in a and name in b and a[name] == b[name]:
            continue
        row: dict[str, Any] = {"name": name}
        row |= {"a": a[name]} if name in a else {}
        row |= {"b": b[name]} if name in b else {}
        rows.append(row)
    return rows


def by_whom(
    a: Mapping[str, Any],
    b: Mapping[str, Any],
    *,
    releases: tuple[ReleaseRange, ReleaseRange],
    rewritten: tuple[Mapping[str, str], Mapping[str, str]] = ({}, {}),
) -> list[dict[str, Any]]:
    """The differing arguments with who set them, as far as that follows: `a_origin`, `b_origin`.

    `rewritten` names those that the server changed, each with the value before (`a_before`), "" where none is told.
    What only one of two releases has is no difference between the starts, unless it was set.
    """
    rows = []
    for row in different_arguments(a, b):
        sides = [(key, release) for key, release in zip("ab", releases, strict=True) if key in row]
        origins = {key: arguments.origin(row["name"], row[key], release)[0] for key, release in sides}
        alone = len(origins) == 1
        if alone and (set(origins.values()) == {"default"} or all(row[key] is None for key in origins)):
            continue
        known: dict[str, str] = {f"{key}_origin": origin for key, origin in origins.items() if origin != "unknown"}
        for key, changed in zip("ab", rewritten, strict=True):
            if key in row and row["name"] in changed:
                before = changed[row["name"]]
                known |= {f"{key}_origin": "rewritten", **({f"{key}_before": before} if before else {})}
        rows.append({**row, **known})
    return rows


SIZES_POOL = {
    "mem_fraction_static": "mem_fraction_static",
    "max_total_tokens": "max_total_tokens",
    "page_size": "page_size",
    "kv_cache_dtype": "cell_size",
    "tp_size": "weights",
    "quantization": "weights",
    "dtype": "weights",
    "model_path": "weights",
}
"""Which input of the sizing an argument acts through."""
LEAVES_POOL = (
    *(
        "chunked_prefill_size",
        "cuda_graph_max_bs",
        "max_running_requests",
        "context_length",
        "schedule_conservativeness",
    ),
    *("max_prefill_tokens", "disable_radix_cache", "disable_cuda_graph"),
)
"""Arguments that people change to move the pool, and that move it through an automatic fraction at most."""
NEVER_POOL = ("schedule_conservativeness", "disable_radix_cache")
"""Those of them that no automatic fraction reads either."""


def without_effect(differing: Sequence[Mapping[str, Any]], moved: Collection[str]) -> list[str]:
    """The arguments about memory that differ and did not move the pool; `moved` are the inputs of its size that did."""
    named = {str(row["name"]) for row in differing if "a" in row and "b" in row}
    silent = {name for name in named if name in SIZES_POOL and SIZES_POOL[name] not in moved}
    untouched = NEVER_POOL if "mem_fraction_static" in moved else LEAVES_POOL
    left = {name for name in named if name in untouched}
    return sorted(silent | left)
