"""The shapes of public models, and the bytes that a token of each takes: what a size of the KV cache implies.

Facts from the configuration files that the models publish; add a row to add a model. Multi-head and grouped-query
attention store 2 · heads · head size · layers values a token and divide the heads among the tensor-parallel ranks
(at least one each); latent attention stores (rank + rotary) · layers values on every rank.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from logscope.errors import FactMissing
from logscope.quantity import Interval


@dataclass(frozen=True, slots=True)
class Shape:
    """Layers with a KV cache, and either heads and their size, or (for latent attention) the values of one layer."""

    layers: int
    heads: int = 0
    head_size: int = 0
    latent: int = 0
    index: int = 0  # bytes a layer of a sparse attention's index

    def cell_bytes(self, element_bytes: float, tp_size: int = 1) -> float:
        """Bytes of one token on one rank."""
        if self.latent:
            return (self.latent * element_bytes + self.index) * self.layers
        heads = max(1, self.heads // tp_size)
        return 2 * heads * self.head_size * self.layers * element_bytes


SHAPES: dict[str, Shape] = {
    "Qwen2.5-0.5B": Shape(24, 2, 64),
    "Qwen2.5-1.5B": Shape(28, 2, 128),
    "Qwen2.5-3B": Shape(36, 2, 128),
    "Qwen2.5-7B": Shape(28, 4, 128),
    "Qwen2.5-14B": Shape(48, 8, 128),
    "Qwen2.5-32B": Shape(64, 8, 128),
    "Qwen2.5-72B": Shape(80, 8, 128),
    "Qwen3-0.6B": Shape(28, 8, 128),
    "Qwen3-1.7B": Shape(28, 8, 128),
    "Qwen3-4B": Shape(36, 8, 128),
    "Qwen3-8B": Shape(36, 8, 128),
    "Qwen3-14B": Shape(40, 8, 128),
    "Qwen3-32B": Shape(64, 8, 128),
    "Qwen3-30B-A3B": Shape(48, 4, 128),
    "Qwen3-235B-A22B": Shape(94, 4, 128),
    "Llama-3.2-1B": Shape(16, 8, 64),
    "Llama-3.2-3B": Shape(28, 8, 128),
    "Llama-3-8B": Shape(32, 8, 128),
    "Llama-3.1-8B": Shape(32, 8, 128),
    "Llama-3-70B": Shape(80, 8, 128),
    "Llama-3.1-70B": Shape(80, 8, 128),
    "Llama-3.3-70B": Shape(80, 8, 128),
    "Llama-2-7B": Shape(32, 32, 128),
    "Llama-2-13B": Shape(40, 40, 128),
    "Mistral-7B": Shape(32, 8, 128),
    "Mistral-Nemo": Shape(40, 8, 128),
    "Mixtral-8x7B": Shape(32, 8, 128),
    "DeepSeek-V2-Lite": Shape(27, latent=576),
    "DeepSeek-V2": Shape(60, latent=576),
    "DeepSeek-V3": Shape(61, latent=576),
    "DeepSeek-V3.1": Shape(61, latent=576),
    "DeepSeek-V3.2": Shape(61, latent=576, index=132),
    "DeepSeek-R1": Shape(61, latent=576),
    "Kimi-K2": Shape(61, latent=576),
    "Kimi-K2.5": Shape(61, latent=576),
}
DTYPES = {"bf16": 2, "fp8": 1}


@dataclass(frozen=True, slots=True)
class Fit:
    """A model and an element type whose bytes of a token lie in an interval."""

    model: str
    dtype: str
    bytes: float


def shape_of(path: str) -> Shape:
    """The shape of the model that a path or a repository names; raises FactMissing for one that is not listed."""
    name = re.split(r"[/\\]", path.rstrip("/\\"))[-1].lower()
    # Longest first: Qwen3-30B-A3B before Qwen3-3…, DeepSeek-V3.2 before DeepSeek-V3.
    for model in sorted(SHAPES, key=len, reverse=True):
        if re.search(rf"(?:^|[^a-z0-9]){re.escape(model.lower())}(?![a-z0-9]|\.\d)", name):
            return SHAPES[model]
    raise FactMissing(f"the shape of {name!r} is not listed")


def fitting(cell: Interval, tp_size: int = 1) -> Iterator[Fit]:
    """The listed models and element types whose bytes of a token lie in the interval, in the order of the list."""
    for model, shape in SHAPES.items():
        for dtype, element_bytes in DTYPES.items():
            size = shape.cell_bytes(element_bytes, tp_size)
            if size in cell:
                yield Fit(model, dtype, size)
