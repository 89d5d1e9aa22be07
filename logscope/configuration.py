"""The configuration of a launch: each argument that matters, who set it, and the line that says so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from logscope.facts.rewritten import Rewritten, rewritten
from logscope.launch import Launch
from logscope.plain import line_of
from logscope.redact import mask_arguments
from logscope.sglang import arguments

# Shown even at their defaults: what sizing and admission depend on.
_ALWAYS = (
    "mem_fraction_static",
    "max_total_tokens",
    "max_running_requests",
    "chunked_prefill_size",
    "context_length",
    "page_size",
    "tp_size",
    "dp_size",
    "kv_cache_dtype",
    "attention_backend",
)


def configuration(launch: Launch) -> Iterator[dict[str, Any]]:
    """Arguments that differ from their defaults, and those that memory depends on; in the order of the dump."""
    if not launch.arguments:
        return
    line = line_of(launch.arguments_line)
    shown = mask_arguments(launch.arguments)
    changed = rewritten(launch)
    for name, value in launch.arguments.items():
        origin, why = arguments.origin(name, value, launch.release)
        if name in changed:
            yield {"name": name, "value": shown[name], "origin": "rewritten", **_told(changed[name])}
            continue
        if origin == "default" and name not in _ALWAYS:
            continue
        if origin == "unknown" and (value is None or name not in _ALWAYS):
            continue
        yield {"name": name, "value": shown[name], "origin": origin, "why": why, "line": line}


def _told(change: Rewritten) -> dict[str, Any]:
    return {"why": change.says, "line": line_of(change.line)}
