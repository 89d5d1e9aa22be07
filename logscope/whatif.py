"""What another flag would have done: the launch reproduced by its relations first, then predicted with the change.

All functions take mappings of name → quantity, named as in the relations, and give the plain data of
`prediction-1.json`. A prediction is for the same machine at the same moment: the free memory is that of the log.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from logscope.errors import FactMissing, UsageError
from logscope.fraction_window import fraction_window
from logscope.narrowing import Network, narrow_facts
from logscope.plain import plain, quantity_of
from logscope.quantity import Interval, Quantity
from logscope.relation import Relation
from logscope.relations import Setting
from logscope.relations.pool_end import BUFFERS_GIB, LAYER_GIB, MOST_LAYERS
from logscope.solve import propagate
from logscope.start_model import model

Facts = Mapping[str, Quantity]
Changes = Mapping[str, float | str | None]

FLAGS = {
    "mem_fraction_static": "share",
    "max_total_tokens": "tokens",
    "page_size": "tokens",
    "context_length": "tokens",
    "max_running_requests": "requests",
    "chunked_prefill_size": "tokens",
}
"""The flags whose effect the relations know, with their units; `kv_cache_dtype` is known by its element size."""

INPUTS = (
    *FLAGS,
    *("avail_before_load", "avail_after_load", "cell_size", "graph_memory", "allocator_rounding", "state_pool"),
    *("beside_share", "state_share", "draft_share", "draft_weights", "speculative_tokens", "multimodal_reserve"),
    *("sys_available", "mlx_limit", "mlx_used", "running_requests"),
)
OUTPUTS = (
    *("rest_memory", "kv_budget", "kv_pool", "state_pool", "draft_pool", "max_total_num_tokens", "pool_mib"),
    *(
        "outside_pool",
        "private_buffers",
        "request_table",
        "avail_pool_end",
        "headroom",
        "chunk_activations",
        "full_context_requests",
    ),
)
NEVER_NEGATIVE = ("kv_pool", "state_pool", "draft_pool", "request_table", "private_buffers")
"""What is allocated: its least value is nothing, however small it is printed."""
_ELEMENT_BYTES = {"fp8": 1, "float8": 1, "fp4": 0, "bfloat16": 2, "bf16": 2, "float16": 2, "half": 2}


@dataclass(frozen=True, slots=True)
class Baseline:
    """A launch ready to be changed: the inputs as far as the log fixes them, and whether its own numbers agree.

    `tabled` says that the request table can be computed; else it is counted with the rounding of the allocator.
    `context_tokens` is the context at which the concurrency is asked for, the server's own where it is None.
    """

    inputs: Facts
    printed: Facts
    setting: Setting
    agrees: bool
    notes: tuple[str, ...] = ()
    tabled: bool = True
    context_tokens: float | None = None

    @property
    def relations(self) -> list[Relation]:
        return model(self.setting, tabled=self.tabled, context_tokens=self.context_tokens)


def baseline(facts: Facts, setting: Setting, *, context_tokens: float | None = None) -> Baseline:
    """The inputs that explain the log. Where a printed reading is not the one that sized the pool, the pool decides."""
    known = {name: fact for name, fact in facts.items() if name in INPUTS or name in OUTPUTS}
    tabled = "max_running_requests" in facts and "context_length" in facts
    relations = model(setting, tabled=tabled)
    solved = propagate(known, relations)
    if solved.consistent and _drifted(known, relations):
        # The reading that sized the pool was another than the printed one: the pool tells it.
        after = known["avail_after_load"]
        moved = replace(after, interval=after.interval.widened(setting.sensor_gib))
        solved = propagate({**known, "avail_after_load": moved}, relations)
    notes = [
        f"{name} is taken as {quantity.interval.mid:.5g} {quantity.unit}: as stated it contradicts the other lines"
        for name, quantity in solved.values.items()
        if name in solved.dropped
    ]
    shares = "state" in setting.pools and not setting.state_fixed
    names = [name for name in INPUTS if name != "state_pool" or not shares]
    inputs = {name: solved.values[name] for name in names if name in solved.values}
    if "cell_size" in inputs:  # a pool that prints as 0.00 GB leaves it open downwards, but no token takes nothing
        cell = inputs["cell_size"]
        inputs["cell_size"] = replace(cell, interval=cell.interval.at_least(1.0))
    if tabled and not setting.mlx and "allocator_rounding" not in inputs:
        rounding = Interval(0, BUFFERS_GIB + LAYER_GIB * (setting.layers or MOST_LAYERS))
        inputs["allocator_rounding"] = Quantity.computed("allocator_rounding", rounding, "GiB", "2 MiB a buffer")
    return Baseline(inputs, known, setting, solved.consistent, tuple(notes), tabled, context_tokens)


def _drifted(known: Facts, relations: Sequence[Relation]) -> bool:
    """Whether the printed numbers agree by the tolerance of the sensor alone."""
    network = Network(relations).exactly()
    return "avail_after_load" in known and narrow_facts(network, known).empty


def reproduced(base: Baseline, *, refused: bool | None = None) -> dict[str, Any]:
    """What the relations give for the launch as it was, beside what it printed."""
    stated = {name: base.printed.get(name, quantity) for name, quantity in base.inputs.items()}
    values = propagate(stated, base.relations).values
    rows: list[dict[str, Any]] = []
    for name in OUTPUTS:
        if name in values and name in base.printed:
            computed, printed = values[name].interval, base.printed[name]
            apart = computed.distance(printed.interval)
            row = {"printed": quantity_of(printed), "lo": computed.lo, "hi": computed.hi, "apart": apart}
            rows.append({"name": name, "unit": printed.unit, **row})
    agrees = base.agrees
    if refused is not None:
        rest = values.get("rest_memory")
        computed_refused = rest is not None and rest.interval.hi <= 0
        agrees = agrees and (rest is None or computed_refused == refused or 0 in rest.interval)
        rows.append({"name": "refused", "printed": refused, "computed": computed_refused})
    return dict(plain({"agrees": agrees, "quantities": rows, "notes": list(base.notes)}))


def changed(base: Baseline, changes: Changes) -> Baseline:
    """The launch with other flags. Raises UsageError for a flag whose effect the relations do not know."""
    inputs, setting = dict(base.inputs), base.setting
    for name, value in changes.items():
        if name == "kv_cache_dtype" and isinstance(value, str):
            inputs["cell_size"] = _recast(base, value)
        elif name not in FLAGS:
            raise UsageError(f"the effect of {name} is not known; there are {', '.join(FLAGS)}, kv_cache_dtype")
        elif value is None:
            inputs.pop(name, None)
        elif isinstance(value, str):
            raise UsageError(f"{name}={value}: a number is needed")
        else:
            inputs[name] = Quantity.exact(name, value, FLAGS[name])
    setting = replace(setting, capped="max_total_tokens" in inputs)
    return replace(base, inputs=inputs, setting=setting)


def _recast(base: Baseline, dtype: str) -> Quantity:
    """The bytes of a token with another element size. Raises where the present one is not known."""
    known = [size for word, size in _ELEMENT_BYTES.items() if dtype.lower().startswith(word) and size]
    if not known:
        raise UsageError(f"kv_cache_dtype={dtype}: only bfloat16, float16 and fp8 scale the bytes of a token exactly")
    if "cell_size" not in base.inputs or not base.setting.kv_bytes:
        raise FactMissing("the log tells neither the bytes of a token nor the element size they come from")
    factor = known[0] / base.setting.kv_bytes
    return base.inputs["cell_size"].scaled(factor, "bytes/token", f"cell_size · {factor:g}")


def predicted(base: Baseline) -> dict[str, Quantity]:
    """The outputs that follow from the inputs of a launch, each as an interval with both ends; counts are whole.

    A start that is refused has a budget and no pool. Raises FactMissing where nothing follows.
    """
    values = propagate(base.inputs, base.relations).values
    found = {name: _whole(values[name]) for name in OUTPUTS if name in values and values[name].interval.finite}
    if not found:
        raise FactMissing("nothing follows: free memory before and after the weights and the fraction are needed")
    if refusal(found) == "yes":
        return {"rest_memory": found["rest_memory"]}
    return found


def _whole(quantity: Quantity) -> Quantity:
    if quantity.name in NEVER_NEGATIVE:
        quantity = replace(quantity, interval=quantity.interval.at_least(0))
    if quantity.unit != "tokens":
        return quantity
    interval = Interval(math.ceil(quantity.interval.lo), math.floor(quantity.interval.hi))
    return replace(quantity, value=float(round(interval.mid)), interval=interval)


def refusal(outputs: Facts) -> str:
    """`yes`, `no` or `possible`: whether the start is refused for lack of a budget."""
    rest = outputs.get("rest_memory")
    if rest is None or rest.interval.lo > 0:
        return "no"
    return "yes" if rest.interval.hi <= 0 else "possible"


def exhaustion(outputs: Facts) -> str:
    """`yes`, `no` or `possible`: whether the pools and what stands beside them exceed the memory that is free."""
    left = outputs.get("headroom", outputs.get("avail_pool_end"))
    if left is None or left.interval.lo >= 0:
        return "no"
    return "yes" if left.interval.hi < 0 else "possible"


def possible(changes: Changes) -> Changes:
    """The changes, if a server could be started with them. Raises UsageError for a value that a flag cannot have."""
    for name, value in changes.items():
        if isinstance(value, str) or value is None:
            continue
        if name == "mem_fraction_static" and not 0 <= value <= 1:
            raise UsageError(f"{name}={value:g}: a fraction lies between 0 and 1")
        least = -1 if name == "chunked_prefill_size" else 1
        if FLAGS.get(name) in ("tokens", "requests") and (value < least or not float(value).is_integer()):
            raise UsageError(f"{name}={value:g}: a whole number of {FLAGS[name]} from {least} on is needed")
    return changes


def prediction(
    facts: Facts,
    setting: Setting,
    changes: Changes,
    *,
    context_tokens: float | None = None,
    refused: bool | None = None,
) -> dict[str, Any]:
    """`logscope.prediction/1`: the log reproduced, then what the change gives.

    `context_tokens` is the context at which the concurrency is asked for; `refused` what the log says of its own start.
    """
    base = baseline(facts, setting, context_tokens=context_tokens)
    new = changed(base, possible(changes))
    outputs = predicted(new)
    verdict = refusal(outputs)
    return {
        "schema": "logscope.prediction/1",
        "reproduced": reproduced(base, refused=refused),
        "set": dict(plain(dict(changes))),
        "predicted": [_row(quantity) for quantity in outputs.values()],
        "refused": verdict == "yes",
        "refusal": verdict,
        "exhaustion": exhaustion(outputs),
        "fraction_range": window(new),
    }


def _row(quantity: Quantity) -> dict[str, Any]:
    found = quantity_of(quantity)
    return {key: found[key] for key in ("name", "rank", "value", "lo", "hi", "unit", "equation") if key in found}


def window(base: Baseline) -> dict[str, Any]:
    """The usable range of the fraction with these flags, or why it is not known."""
    try:
        return dict(plain(fraction_window({**base.inputs, **predicted_table(base)}).range))
    except FactMissing as reason:
        return {"why": str(reason)}


def predicted_table(base: Baseline) -> dict[str, Quantity]:
    """What lives outside the pool, as far as it follows from the inputs."""
    values = propagate(base.inputs, base.relations).values
    names = ("request_table", "private_buffers", "draft_pool")
    return {name: replace(values[name], interval=_closed(values[name].interval)) for name in names if name in values}


def _closed(interval: Interval) -> Interval:
    """The least value where a quantity has no upper end: private buffers are at least so large."""
    return interval if math.isfinite(interval.hi) else Interval.exact(interval.lo)


def swept(
    facts: Facts,
    setting: Setting,
    changes: Changes,
    *,
    flag: str,
    values: Sequence[float],
    context_tokens: float | None = None,
) -> list[dict[str, Any]]:
    """One row a value of the flag: the predicted quantities and whether the start is refused."""
    base = baseline(facts, setting, context_tokens=context_tokens)
    rows = []
    for value in values:
        outputs = predicted(changed(base, possible({**changes, flag: value})))
        ends = {"refusal": refusal(outputs), "exhaustion": exhaustion(outputs)}
        rows.append({"set": {flag: value}, "predicted": [_row(q) for q in outputs.values()], **ends})
    return rows
