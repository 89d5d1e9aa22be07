"""The command line of a launch with the changes that its actions propose, ready to copy.

It is built from the server_args of the log: what was given, by the flags of that release. A secret stays masked, and
what a release sets by itself is left to it.
"""

from __future__ import annotations

import json
import math
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from logscope.errors import FactMissing
from logscope.facts import settings
from logscope.finding import Action
from logscope.launch import Launch
from logscope.redact import mask_arguments
from logscope.sglang import arguments
from logscope.sglang.releases import LAST

_STEP = 0.02  # of the fraction: one change between two measurements
_NEVER = ("random_seed", "watchdog_timeout", "nccl_port", "detokenizer_worker_num")
_OFTEN_GIVEN = (
    *("context_length", "chunked_prefill_size", "max_running_requests", "max_total_tokens", "page_size", "dtype"),
    *("quantization", "kv_cache_dtype", "device", "attention_backend", "cuda_graph_max_bs", "cuda_graph_max_bs_decode"),
    *("disable_cuda_graph", "disable_radix_cache", "disable_overlap_schedule", "dp_size", "ep_size", "moe_a2a_backend"),
    *(
        "enable_dp_attention",
        "dist_init_addr",
        "swa_full_tokens_ratio",
        "mamba_full_memory_ratio",
        "max_mamba_cache_size",
    ),
    *("schedule_conservativeness", "served_model_name", "reasoning_parser", "tool_call_parser", "chat_template"),
)
_GROUPS_GIVEN = (
    *(
        "speculative_algorithm",
        "speculative_num",
        "speculative_eagle",
        "speculative_draft_model",
        "disaggregation_mode",
    ),
    *("disaggregation_transfer", "hicache_size", "hicache_ratio", "hicache_write", "lora_paths", "max_loras"),
)
_LONGEST_LIST = 16
NODE_RANK = "NODE_RANK"  # a blank: one command is for all nodes, and without it each would start as node 0
_USUAL = {"device": "cuda", "page_size": 1, "swa_full_tokens_ratio": 0.8, "mamba_full_memory_ratio": 0.9}


def command_line(launch: Launch, actions: Sequence[Action]) -> str:
    """The old command with the changes that have a number; raises FactMissing without arguments or a number."""
    if not launch.arguments:
        raise FactMissing("the log holds no server_args")
    changes: dict[str, Any] = {}
    for action in taken(launch, actions):
        changes = {**change(launch, action), **changes}
    if not changes:
        raise FactMissing("no action changes an argument by a known amount")
    if settings.size(launch, "nnodes") > 1:
        changes["node_rank"] = NODE_RANK
    release = launch.release.hi or LAST
    shown = dict(mask_arguments(launch.arguments))
    words = list(_words(launch, shown, changes, release))
    return " ".join(["python -m sglang.launch_server", *words])


def taken(launch: Launch, actions: Sequence[Action]) -> list[Action]:
    """The actions whose changes the command makes: all with an amount, and an alternative only where it is alone."""
    found: list[Action] = []
    for action in actions:
        if change(launch, action) and not (found and action.alternative):
            found.append(action)
    return found


def _words(launch: Launch, shown: Mapping[str, Any], changes: Mapping[str, Any], release: str) -> Iterator[str]:
    for name, value in {**shown, **changes}.items():
        if name in changes:
            yield from _flag(name, changes[name], release)
        elif name not in _NEVER and _given(launch, name, release) and not _implied(shown, name, value):
            yield from _flag(name, value, release)


def _given(launch: Launch, name: str, release: str) -> bool:
    """Whether the value must be on the command line: it is no default, and the release did not set it."""
    if name == "model_path":
        return True
    origin, _ = arguments.origin(name, launch.arguments[name], launch.release)
    if origin != "unknown":
        return origin == "given"
    # The dump prints alike what was given and what the server resolved; of those, only what people give is repeated.
    if name not in _OFTEN_GIVEN and not name.startswith(_GROUPS_GIVEN):
        return False
    try:
        found = arguments.field(name, release)
    except FactMissing:
        return False
    return not (found.has_default and found.default == launch.arguments[name])


def _implied(shown: Mapping[str, Any], name: str, value: object) -> bool:
    """What follows from another argument, or what every start of its kind has without being told."""
    model = name in ("tokenizer_path", "served_model_name") and value == shown.get("model_path")
    hicache = name.startswith("hicache_") and not shown.get("enable_hierarchical_cache")
    return model or hicache or (name in _USUAL and _USUAL[name] == value)


def _flag(name: str, value: object, release: str) -> Iterator[str]:
    """One argument as it is typed; nothing for what has no flag."""
    try:
        flag = arguments.flag(name, release)
    except FactMissing:
        return
    if value is None or value is False or value == arguments.REDACTED or not flag:
        return
    if value is True:
        yield flag
    elif isinstance(value, list | tuple):
        if not 0 < len(value) <= _LONGEST_LIST:
            return
        yield " ".join([flag, *(shlex.quote(str(one)) for one in value)])
    elif isinstance(value, dict):
        yield f"{flag} {shlex.quote(json.dumps(value))}"
    else:
        yield f"{flag} {shlex.quote(f'{value:g}' if isinstance(value, float) else str(value))}"


def change(launch: Launch, action: Action) -> dict[str, Any]:
    """The argument that an action changes and its new value; empty where the action names no amount."""
    told = dict(action.set or {})
    flag = str(told.get("flag", ""))
    name = flag.removeprefix("--").replace("-", "_")
    if not name or name not in launch.arguments:
        return {}
    now = launch.arguments[name]
    value = _fraction(now, told) if name == "mem_fraction_static" else told.get("to", told.get("hi"))
    return {name: value} if value is not None and value != now else {}


def _fraction(now: object, told: Mapping[str, Any]) -> float | None:
    """A value inside the range: a step above its floor, or one below the present; its end where a step leaves it."""
    lo, hi = told.get("lo"), told.get("hi")
    if not isinstance(now, int | float):
        return None
    if lo is not None and now <= lo:
        ceiling = hi if hi is not None and hi > lo else 0.97
        value = min(math.ceil((lo + _STEP) * 100) / 100, math.floor(ceiling * 100) / 100)
        return value if value > lo else None
    if hi is not None and now >= hi:
        values = (math.floor(end * 100 + 1e-9) / 100 for end in (min(hi, now - _STEP), hi))
        return next((value for value in values if value > (lo or 0.0)), None)
    return None
