"""The inputs of a start from the arguments that its dump prints.

A dump prints what the release resolved: chunk and graphs are those in force, so they count as given. Three things
happen after the fraction was computed and are undone: DP attention divides the chunk and cuts the list of prefill
graphs, and an attention backend may switch decode graphs off, which were still counted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from logscope.errors import FactMissing
from logscope.sglang import arguments
from logscope.sglang.inputs import Device, Inputs, Role
from logscope.sglang.releases import order
from logscope.sglang.sizing import sizing

Values = Mapping[str, Any]


def value(printed: Values, name: str, release: str) -> Any:
    """A printed argument; the default of one that the release does not have yet is None.

    Raises FactMissing when the release has the argument and the dump (cut or shortened) does not print it.
    """
    if name in printed:
        return printed[name]
    if name in arguments.fields(release):
        raise FactMissing(f"the dump does not print {name}")
    return None


def inputs(printed: Values, release: str, *, capacity_mib: float | None) -> Inputs:
    """What sizing depends on, by the dump of a release; the model's part (mla, vision, …) is for `replace` to add.

    `capacity_mib` is the device's capacity as the release reads it. Raises FactMissing for what the dump lacks.
    """
    rules = sizing(release)
    dp_size, dp_attention = _data_parallel(printed, release)
    chunk = value(printed, "chunked_prefill_size", release)
    if chunk is not None and chunk > 0 and dp_attention and rules.dp_attention_divides_chunk != "no":
        chunk *= 2 if rules.dp_attention_divides_chunk == "by 2" else dp_size
    found = Inputs(
        device=_device(printed),
        capacity_mib=capacity_mib,
        tp_size=value(printed, "tp_size", release),
        pp_size=value(printed, "pp_size", release) or 1,
        dp_size=dp_size,
        dp_attention=dp_attention,
        chunked_prefill_size=chunk,
        max_prefill_tokens=value(printed, "max_prefill_tokens", release) or 16384,
        max_running_requests=value(printed, "max_running_requests", release),
        max_total_tokens=value(printed, "max_total_tokens", release),
        context_length=value(printed, "context_length", release),
        speculative_algorithm=value(printed, "speculative_algorithm", release),
        speculative_draft_tokens=value(printed, "speculative_num_draft_tokens", release),
        disaggregation=cast("Role", value(printed, "disaggregation_mode", release) or "null"),
        deepep=value(printed, "moe_a2a_backend", release) == "deepep",
        language_only=bool(value(printed, "language_only", release)),
        llama2_path="llama-2" in str(printed.get("model_path", "")).lower(),
        aiter=printed.get("attention_backend") == "aiter",
        torch_compile_max_batch=None,
    )
    return _with_graphs(found, printed, release)


def _device(printed: Values) -> Device:
    return cast("Device", printed.get("device") or "cuda")


def _data_parallel(printed: Values, release: str) -> tuple[int, bool]:
    attention = value(printed, "attn_dp_size", release)
    if attention is not None and attention > 1:
        return attention, True
    return value(printed, "dp_size", release) or 1, bool(value(printed, "enable_dp_attention", release))


def _with_graphs(found: Inputs, printed: Values, release: str) -> Inputs:
    if order(release) >= order("0.5.14"):
        asked_off = any(printed.get(name) for name in ("disable_cuda_graph", "disable_decode_cuda_graph"))
        asked_off = asked_off or printed.get("cuda_graph_backend_decode") == "disabled"
        return replace(_with_phases(found, value(printed, "cuda_graph_config", release)), decode_graphs=not asked_off)
    shapes = value(printed, "piecewise_cuda_graph_tokens", release)
    asked = value(printed, "enable_piecewise_cuda_graph", release)
    off = value(printed, "disable_piecewise_cuda_graph", release)
    return replace(
        found,
        graph_max_batch=value(printed, "cuda_graph_max_bs", release),
        prefill_graphs=bool(asked) if off is None else not off,
        prefill_graph_max_tokens=value(printed, "piecewise_cuda_graph_max_tokens", release),
        prefill_graph_shapes=len(shapes) if shapes else None,
    )


def _with_phases(found: Inputs, config: object) -> Inputs:
    decode, prefill = _phase(config, "decode"), _phase(config, "prefill")
    cut = found.dp_attention and (prefill.get("max_bs") or 0) < (found.chunked_prefill_size or 0)
    return replace(
        found,
        graph_max_batch=decode.get("max_bs"),
        prefill_graphs=prefill.get("backend") != "disabled",
        prefill_graphs_breakable=prefill.get("backend") == "breakable",
        prefill_graph_max_tokens=None if cut else prefill.get("max_bs"),
        prefill_graph_shapes=None if cut else prefill.get("shapes"),
    )


def _phase(config: object, name: str) -> dict[str, Any]:
    """Backend, largest batch and number of sizes of one phase, from a mapping or from its printed form."""
    if isinstance(config, Mapping):
        phase = config.get(name)
        if isinstance(phase, Mapping):
            return {**phase, "shapes": len(phase.get("bs") or ()) or None}
        raise FactMissing(f"cuda_graph_config holds no {name}")
    text = re.search(rf"\b{name}=\w+\((.*?)\)", str(config))
    if text is None:
        raise FactMissing(f"cuda_graph_config holds no {name}")
    backend = re.search(r"backend=['\"]?(\w+)", text[1])
    largest = re.search(r"max_bs=(\d+)", text[1])
    sizes = re.search(r"(?<!_)bs=\[([\d, ]+)\]", text[1])
    return {
        "backend": backend[1] if backend else None,
        "max_bs": int(largest[1]) if largest else None,
        "shapes": sizes[1].count(",") + 1 if sizes else None,
    }
