"""The automatic mem_fraction_static of a release, and what changes a fraction after it was printed.

Source: `server_args.py` (`__post_init__` up to 0.5.2, `_handle_gpu_memory_settings` up to 0.5.18), from 0.5.19 on
`arg_groups/memory_hook.py`; the runner's modifiers stand in `model_executor/model_runner.py`.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

from logscope.errors import NotApplicable
from logscope.quantity import Interval
from logscope.sglang import graphs
from logscope.sglang.inputs import Inputs, VisionTower
from logscope.sglang.sizing import Sizing, sizing

_BREAKS_MIB = (1.0, *(gib * 1024.0 for gib in (20, 32, 35, 60, 64, 90, 160)), math.inf)


def automatic_fraction(release: str, inputs: Inputs) -> float:
    """The mem_fraction_static that a release chooses when none is given, as its server_args dump prints it.

    A share of the memory free before loading. Raises NotApplicable where the release itself fails on these inputs.
    """
    rules = sizing(release)
    if rules.sparse_attention_fraction is not None and inputs.sparse_attention:
        return rules.sparse_attention_fraction
    return rules.fraction(inputs, rules) * _vision_factor(inputs, rules) * _dumped_aiter(inputs, rules)


def hidden_factor(release: str, inputs: Inputs) -> float:
    """What the runner multiplies the printed fraction with before it sizes the pool; 1.0 where nothing is hidden."""
    rules = sizing(release)
    factor = rules.runner_multimodal_factor if inputs.multimodal else 1.0
    if not rules.aiter_factor_in_dump and _aiter_applies(inputs):
        factor *= rules.aiter_factor
    return factor


def hidden_factors(release: str) -> tuple[tuple[float, str], ...]:
    """Every factor that a release may apply to a fraction without printing it, and when."""
    rules = sizing(release)
    found = []
    if rules.runner_multimodal_factor != 1.0:
        found.append((rules.runner_multimodal_factor, "a multimodal model"))
    if rules.aiter_factor != 1.0 and not rules.aiter_factor_in_dump:
        found.append((rules.aiter_factor, "the aiter attention backend with more than 8192 tokens of context"))
    return tuple(found)


def reserve_mib(release: str, inputs: Inputs) -> float:
    """What a release keeps out of the static part of a device of this capacity (MiB).

    Raises NotApplicable before 0.4.7.post1, whose fraction is no reserve.
    """
    rules = sizing(release)
    if rules.fraction is by_activation:
        return activation_reserve_mib(inputs, rules)
    if rules.fraction is by_device_class:
        return class_reserve_mib(inputs, rules)
    raise NotApplicable(f"the automatic fraction of SGLang {release} is a table, not a reserve")


def implied_capacities(release: str, inputs: Inputs, fraction: float) -> tuple[Interval, ...]:
    """The device capacities (MiB) that give an automatic fraction of three decimals; none when none does.

    The reserve depends on the capacity only by class, so each class is solved by itself. `inputs` holds resolved
    arguments (chunk and graphs as the dump prints them). Raises NotApplicable like `reserve_mib`.
    """
    share = fraction / (_vision_factor(inputs, sizing(release)) * _dumped_aiter(inputs, sizing(release)))
    found = []
    for lo, hi in itertools.pairwise(_BREAKS_MIB):
        reserve = reserve_mib(release, replace(inputs, capacity_mib=(lo + min(hi, 2**20)) / 2))
        least = reserve / (1 - share + 0.0005)
        most = reserve / (1 - share - 0.0005) if share < 0.9995 else math.inf
        span = Interval(least, most).meet(Interval(lo, hi))
        if not span.empty:
            found.append(span)
    return tuple(found)


def _aiter_applies(inputs: Inputs) -> bool:
    return inputs.aiter and inputs.context_tokens > 8192


def _dumped_aiter(inputs: Inputs, rules: Sizing) -> float:
    return rules.aiter_factor if rules.aiter_factor_in_dump and _aiter_applies(inputs) else 1.0


def _loses_to_vision(inputs: Inputs, rules: Sizing) -> bool:
    spared = (inputs.language_only and rules.vision_spares_language_only) or (
        inputs.disaggregation == "decode" and rules.vision_spares_decode_node
    )
    return inputs.multimodal and not spared and rules.vision != "none"


def _vision_factor(inputs: Inputs, rules: Sizing) -> float:
    if not _loses_to_vision(inputs, rules):
        return 1.0
    if rules.vision == "x0.90":
        return 0.9
    if inputs.vision is None or (inputs.post_capture and rules.vision_post_capture_mib):
        return 1.0
    return encoder_factor(inputs.vision)


def encoder_factor(vision: VisionTower) -> float:
    """What a vision encoder leaves of the fraction: 0.95 for 24 layers of 1024, between 0.76 and 0.9975."""
    size = vision.layers * vision.hidden_size**2 / (24 * 1024**2)
    return 0.95 * max(0.8, min(1.05, 1.0 - 0.1 * (size - 1.0)))


def _table(parallel_size: int, rules: Sizing) -> float:
    return next(fraction for least, fraction in rules.fraction_by_parallel if parallel_size >= least)


def by_tensor_parallel(inputs: Inputs, rules: Sizing) -> float:
    """0.1.15 to 0.4.5.post2: a table over the tensor-parallel size."""
    return _table(inputs.tp_size, rules)


def by_table_or_13_gib(inputs: Inputs, rules: Sizing) -> float:
    """0.4.5.post3 to 0.4.6.post1: the table up to 80 GiB, else all but 13 GiB."""
    capacity = _capacity(inputs, "0.4.5.post3 to 0.4.6.post1")
    return _table(inputs.tp_size, rules) if capacity <= 81920 else (capacity - 1024 * 13) / capacity


def _capacity(inputs: Inputs, span: str) -> float:
    if inputs.capacity_mib is None:
        raise NotApplicable(f"SGLang {span} fails at start when the device capacity cannot be read")
    return inputs.capacity_mib


def by_table_and_large_device_strict(inputs: Inputs, rules: Sizing) -> float:
    """0.4.6.post2 to .post4: as 0.4.6.post5, but the capacity must be known."""
    _capacity(inputs, "0.4.6.post2 to 0.4.6.post4")
    return by_table_and_large_device(inputs, rules)


def by_table_and_large_device(inputs: Inputs, rules: Sizing) -> float:
    """0.4.6.post5 and 0.4.7: the table over tp · pp up to 80 GiB, and a correction above 96 GiB."""
    capacity = inputs.capacity_mib
    known = _table(inputs.tp_size * inputs.pp_size, rules) if capacity is not None and capacity <= 81920 else 0.88
    speculative = rules.large_speculation and inputs.speculative_algorithm is not None
    if capacity is not None and capacity > 180_000 and rules.large_speculation and inputs.device == "cuda":
        return 0.79
    if capacity is not None and capacity > 96 * 1024:
        reserve = 1024 * (20 if speculative else 18)
        return min(known + 48 * 1024 * (1 - known) / capacity, (capacity - reserve) / capacity)
    return known * 0.95 if speculative else known


def by_device_class(inputs: Inputs, rules: Sizing) -> float:
    """0.4.7.post1 to 0.5.2: a reserve by device class."""
    capacity = inputs.capacity_mib
    if capacity is None:
        return rules.fraction_unknown
    return round((capacity - class_reserve_mib(inputs, rules)) / capacity, 3)


def class_reserve_mib(inputs: Inputs, rules: Sizing) -> float:
    """The reserve of a device class (MiB); raises NotApplicable when the capacity is unknown."""
    capacity = _capacity(inputs, "0.4.7.post1 to 0.5.2")
    parallel = inputs.tp_size * inputs.pp_size
    if capacity < 35 * 1024:
        reserve = (2.8 + parallel / 10) * 1024
    elif capacity < 90 * 1024:
        reserve = (9.5 + parallel / 2) * 1024
    elif capacity < 160 * 1024:
        reserve = (12 + parallel / 2) * 1024
    else:
        reserve = 32.0 * 1024
    if inputs.speculative_algorithm is not None:
        standalone = inputs.speculative_algorithm == "STANDALONE"
        reserve += rules.standalone_reserve_mib if standalone else rules.eagle_reserve_mib
    return reserve + 4 * 1024 if inputs.dp_attention else reserve


def by_activation(inputs: Inputs, rules: Sizing) -> float:
    """From 0.5.3 on: activations of a chunk, captured graphs and parallel buffers are added up."""
    capacity = inputs.capacity_mib
    if capacity is None:
        return rules.fraction_unknown
    fraction = round((capacity - activation_reserve_mib(inputs, rules)) / capacity, 3)
    if inputs.post_capture and _loses_to_vision(inputs, rules):
        fraction -= rules.vision_post_capture_mib / capacity
    return fraction


def activation_reserve_mib(inputs: Inputs, rules: Sizing) -> float:
    """The memory that the release leaves outside the static part (MiB), before it is made a fraction."""
    parallel = inputs.tp_size * inputs.pp_size / 8 * 1024
    if inputs.post_capture and rules.post_capture_reserve_mib:
        return rules.post_capture_reserve_mib + parallel
    reserve = 512 + _activation_tokens(inputs, rules) * 1.5 + _graph_reserve(inputs, rules) + parallel
    if rules.prefill_graph in ("asked: shapes", "default"):
        reserve += _prefill_graph_reserve(inputs, rules)
    if inputs.capacity_mib is not None and inputs.capacity_mib > 60 * 1024:
        reserve = max(reserve, 10 * 1024)
    return reserve + _reserve_above_floor(inputs, rules)


def _activation_tokens(inputs: Inputs, rules: Sizing) -> int:
    if rules.by_role and inputs.disaggregation == "decode":
        running = inputs.max_running_requests or graphs.reserved_batch(inputs, rules) or 1
        return max(running * (inputs.speculative_draft_tokens or 1), 2048)
    chunk = graphs.chunk(inputs, rules)
    return max(chunk if chunk is not None and chunk > 0 else inputs.max_prefill_tokens, 2048)


def _graph_reserve(inputs: Inputs, rules: Sizing) -> float:
    batch = graphs.reserved_batch(inputs, rules)
    decodes = not (rules.by_role and inputs.disaggregation == "prefill")
    reserve = 0.0 if rules.by_role and not (decodes and inputs.decode_graphs) else batch * 2.0
    if inputs.dp_attention and decodes:
        reserve += batch * inputs.dp_size * (4.5 if batch > 300 else 3.0)
    return reserve


def _prefill_graph_reserve(inputs: Inputs, rules: Sizing) -> float:
    if not graphs.prefill_graphs_on(inputs, rules) or (rules.by_role and inputs.disaggregation == "decode"):
        return 0.0
    if rules.prefill_graph == "asked: tokens/4":
        return graphs.prefill_cap(inputs, rules) // 4
    if rules.prefill_graph == "asked: tokens/8":
        return graphs.prefill_cap(inputs, rules) // 8
    mla = inputs.mla and rules.prefill_graph == "default"
    reserve = 1536.0 if mla else 8.0 * graphs.prefill_shape_count(inputs, rules)
    if inputs.prefill_graphs_breakable and inputs.deepep:
        reserve += rules.deepep_breakable_reserve_mib
    return reserve


def _reserve_above_floor(inputs: Inputs, rules: Sizing) -> float:
    reserve = 0.0
    if inputs.speculative_algorithm not in (None, "NGRAM"):
        standalone = inputs.speculative_algorithm == "STANDALONE"
        reserve += rules.standalone_reserve_mib if standalone else rules.eagle_reserve_mib
    if rules.prefill_graph in ("asked: tokens/4", "asked: tokens/8"):
        reserve += _prefill_graph_reserve(inputs, rules)
    if inputs.deepep and inputs.decode_graphs and inputs.disaggregation != "prefill":
        reserve += rules.deepep_reserve_mib
    if inputs.device == "xpu":
        reserve += rules.xpu_reserve_mib
    return reserve
