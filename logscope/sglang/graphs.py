"""The prefill chunk and the captured graphs of a release: how many tokens, how many requests, which sizes.

Source: `server_args.py` (`chunked_prefill_size`, `cuda_graph_max_bs`, `piecewise_cuda_graph_*`, from 0.5.14 on
`cuda_graph_config`), `model_executor/cuda_graph_runner.py` (`get_batch_sizes_to_capture`, up to 0.5.2).
"""

from __future__ import annotations

import math

from logscope.errors import NotApplicable
from logscope.sglang.inputs import Inputs
from logscope.sglang.sizing import DeviceClass, Sizing, sizing


def chunked_prefill_size(release: str, inputs: Inputs) -> int | None:
    """The prefill chunk in tokens that the release ends up with, as its dump prints it; None: no chunking.

    Under DP attention the dump prints the divided chunk, while the automatic fraction uses the undivided one.
    """
    rules = sizing(release)
    size = chunk(inputs, rules)
    if size is None or not inputs.dp_attention or rules.dp_attention_divides_chunk == "no":
        return size
    return size // (2 if rules.dp_attention_divides_chunk == "by 2" else inputs.dp_size)


def chunk(inputs: Inputs, rules: Sizing) -> int | None:
    """The prefill chunk before DP attention divides it."""
    given = inputs.chunked_prefill_size
    if inputs.speculative_algorithm in ("EAGLE", "NEXTN") and rules.eagle_turns_chunking_off:
        return -1
    if rules.small_device == "divides":
        base = 8192 if given is None else given
        return (base // 4 if _small(inputs) else base) if base > 0 else None
    if given is not None:
        return None if given <= 0 and rules.chunk_off_is_none else given
    if rules.pd_chunk_tokens is not None and inputs.disaggregation != "null" and not _small(inputs):
        return rules.pd_chunk_tokens
    return device_class(inputs, rules).chunk_tokens


def device_class(inputs: Inputs, rules: Sizing) -> DeviceClass:
    """The class of defaults that a device falls into."""
    capacity = inputs.capacity_mib
    if capacity is None:
        return rules.unknown_class
    if inputs.device == "npu":
        for found in rules.npu_classes:
            if capacity < found.below_mib or (rules.npu_includes_limit and capacity == found.below_mib):
                return found
    return next(found for found in rules.classes if capacity < found.below_mib)


def graph_max_batch(release: str, inputs: Inputs) -> int:
    """The largest decode batch that is captured by default or as given (requests a rank).

    Raises NotApplicable where the capture chooses: a fixed list up to 0.3.4.post2, `capture_ceiling` up to 0.5.2.
    """
    rules = sizing(release)
    found = _batch(inputs, rules)
    if found is None:
        raise NotApplicable(f"SGLang {release} leaves the largest captured batch of this device to the capture")
    if rules.dp_attention_batch_limit is not None and inputs.dp_attention:
        return min(found, rules.dp_attention_batch_limit)
    return found


def _batch(inputs: Inputs, rules: Sizing) -> int | None:
    if rules.cpu_graph_batch_is_compile_batch and inputs.device == "cpu" and inputs.torch_compile_max_batch:
        return inputs.torch_compile_max_batch
    if inputs.graph_max_batch is not None and not (rules.small_device and _small(inputs)):
        return inputs.graph_max_batch
    found = _class_batch(inputs, rules)
    limit = inputs.max_running_requests
    # The defaults of NPUs are set before the others and count as given from then on.
    own_default = device_class(inputs, rules) not in rules.npu_classes
    if rules.graph_batch_at_most_running and own_default and limit is not None and found is not None:
        return min(found, limit)
    return found


def _small(inputs: Inputs) -> bool:
    return inputs.capacity_mib is not None and inputs.capacity_mib < 25_000


def _class_batch(inputs: Inputs, rules: Sizing) -> int | None:
    found = device_class(inputs, rules)
    return found.batch if inputs.tp_size < 4 else found.batch_wide


def reserved_batch(inputs: Inputs, rules: Sizing) -> int:
    """The batch that the reserve counts with."""
    return _batch(inputs, rules) or 0


def prefill_graphs_on(inputs: Inputs, rules: Sizing) -> bool:
    """Whether prefill graphs are captured: as given, else the release's default, which only CUDA devices follow."""
    if inputs.prefill_graphs is not None:
        return inputs.prefill_graphs and rules.prefill_graph != "none"
    return rules.prefill_graph == "default" and inputs.device == "cuda"


def prefill_cap(inputs: Inputs, rules: Sizing) -> int:
    """The largest prefill that is captured (tokens)."""
    found = inputs.prefill_graph_max_tokens
    if found is None:
        found = _prefill_cap_default(inputs, rules)
    if rules.prefill_cap_by_context and inputs.context_length is not None:
        found = min(found, inputs.context_length)
    return found


def _prefill_cap_default(inputs: Inputs, rules: Sizing) -> int:
    if rules.prefill_cap_tokens is not None:
        return rules.prefill_cap_tokens
    size = chunk(inputs, rules) or 0
    if inputs.mla and rules.prefill_cap_mla_tokens is not None:
        limit = rules.prefill_cap_mla_tokens
        size = min(limit, size) if rules.prefill_cap_mla_by_chunk else limit
    limits = [size]
    if rules.prefill_cap_pp_breakable_tokens and inputs.pp_size > 1 and inputs.prefill_graphs_breakable:
        limits.append(rules.prefill_cap_pp_breakable_tokens)
    if rules.prefill_cap_by_total and inputs.max_total_tokens is not None:
        limits.append(inputs.max_total_tokens)
    if rules.prefill_cap_by_total and inputs.llama2_path:
        limits.append(4096)
    return min(limits)


def prefill_shape_count(inputs: Inputs, rules: Sizing) -> int:
    """How many prefill sizes are captured."""
    if inputs.prefill_graph_shapes is not None:
        return inputs.prefill_graph_shapes
    if rules.prefill_shapes is None:
        return 0
    return len(rules.prefill_shapes(prefill_cap(inputs, rules)))


def fine_shapes(cap: int) -> list[int]:
    """0.5.3.post2 to 0.5.7: sizes of captured prefills up to a cap."""
    return _up_to(cap, [(4, 33, 4), (48, 257, 16), (288, 513, 32), (640, 4097, 128), (4352, cap + 1, 256)])


def coarse_shapes_from_640(cap: int) -> list[int]:
    """0.5.8: as the following, without 576."""
    return [size for size in coarse_shapes(cap) if size != 576]


def coarse_shapes(cap: int) -> list[int]:
    """From 0.5.9 on: sizes of captured prefills up to a cap."""
    steps = [(4, 33, 4), (48, 257, 16), (288, 513, 32), (576, 1025, 64), (1280, 4097, 256), (4608, cap + 1, 512)]
    return _up_to(cap, steps)


def _up_to(cap: int, steps: list[tuple[int, int, int]]) -> list[int]:
    return [size for start, stop, step in steps for size in range(start, stop, step) if size <= cap]


def decode_shapes(
    release: str, largest: int, *, speculative: bool = False, padded: bool = True, on_cpu: bool = False
) -> list[int]:
    """The decode batches that are captured up to a largest one, from 0.5.3 on; `padded` without the padding switch.

    Raises NotApplicable before 0.5.3, where the capture chooses by device and request slots.
    """
    rules = sizing(release)
    if rules.decode_shapes == "capture":
        raise NotApplicable(f"SGLang {release} chooses the captured batches at capture")
    if on_cpu and rules.cpu_graph_batch_is_compile_batch:
        steps = [(1, 17, 1), (18, 31, 2), (32, 81, 4), (84, largest + 1, 8), (largest, largest + 1, 1)]
        return sorted(set(_up_to(largest, steps if padded else [(1, largest + 1, 1)])))
    if not padded:
        return list(range(1, largest + 1))
    if speculative:
        end = 64 if rules.decode_shapes == "without 64" else 65
        steps = [(1, 9, 1), (10, 33, 2), (40, end, 4), (72, 257, 8), (272, largest + 1, 16)]
    else:
        steps = [(1, 2, 1), (2, 3, 1), (4, 13, 4), (16, 257, 8), (272, 512, 16), (512, largest + 1, 32)]
    sizes = _up_to(largest, steps)
    return [*sizes, largest] if rules.decode_shapes == "with the largest" and largest not in sizes else sizes


def capture_ceiling(inputs: Inputs) -> int:
    """0.4.7.post1 to 0.5.2: the largest batch of the list that is chosen at capture when none is given."""
    capacity = inputs.capacity_mib if inputs.capacity_mib is not None else -math.inf
    if capacity > 160_000:
        return 512
    return 256 if capacity > 90 * 1024 else 160
