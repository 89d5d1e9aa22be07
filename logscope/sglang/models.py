"""Public models by shape, and which of them fit a number of bytes a token.

The facts stand in `models.json`, one shape a line, from the configuration files that the models publish; add a line to
add a model. Numbers are those of the whole model; a rank holds its share (`cells`).
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from logscope.errors import FactMissing, NotApplicable
from logscope.quantity import Interval
from logscope.sglang import cells
from logscope.sglang.releases import LAST
from logscope.sglang.shape import Shape

Part = Literal["all layers", "full layers", "window layers"]

_SIZES = (1, 2, 4, 8, 16, 32)
_DTYPES = ("bfloat16", "fp8_e4m3", "fp4_e2m1")


@functools.cache
def shapes() -> tuple[Shape, ...]:
    """Every known shape, in the order of the file."""
    rows: list[dict[str, Any]] = json.loads(Path(__file__).with_name("models.json").read_text())
    return tuple(_shape(row) for row in rows)


def _shape(row: dict[str, Any]) -> Shape:
    numbers = {key: value for key, value in row.items() if key != "names"}
    name, *aliases = row["names"]
    return Shape(name=name, aliases=tuple(aliases), **numbers)


def _key(name: str) -> str:
    return re.sub(r"[^a-z0-9.]+", "-", name.lower()).strip("-")


@functools.cache
def _by_name() -> dict[str, Shape]:
    return {_key(name): shape for shape in shapes() for name in (shape.name, *shape.aliases)}


def named(path: str) -> Shape:
    """The shape of a model by its path or name; the longest known name that the last part begins with counts.

    Raises FactMissing for a model that is not known here: a fine-tune under another name, a local folder.
    """
    last = _key(re.sub(r"/snapshots/[^/]+/?$", "", path).rstrip("/").rsplit("/", 1)[-1].replace("models--", ""))
    last = re.sub(r"^meta-(?=llama-[34])", "", last) if last not in _by_name() else last
    found = [name for name in _by_name() if f"-{name}-" in f"-{last}-"]
    if not found:
        raise FactMissing(f"the shape of {path!r} is not in the table of public models")
    return _by_name()[max(found, key=len)]


@dataclass(frozen=True, slots=True)
class Fit:
    """A model that takes so many bytes a token: which dtype, how many attention ranks, and which of its pools."""

    shape: Shape
    dtype: str
    attention_tp: int
    bytes_per_token: float
    part: Part = "all layers"

    def __str__(self) -> str:
        ranks = "" if self.shape.mla else f", {self.attention_tp} rank{'s' * (self.attention_tp > 1)}"
        pool = "" if self.part == "all layers" else f", {self.part}"
        return f"{self.shape.name} ({self.dtype}{ranks}{pool})"

    @property
    def product(self) -> str:
        """`61 layers · 576 · 2 bytes`, the latent of each layer; "" where the bytes a token are no such product."""
        shape, size = self.shape, cells.element_bytes(self.dtype)
        width = shape.kv_lora_rank + shape.rope_head_dim
        fits = shape.mla and shape.layers * width * size == self.bytes_per_token
        return f"{shape.layers} layers · {width} · {size} bytes" if fits else ""


def fitting(
    cell: Interval,
    *,
    tp_size: int | None = None,
    release: str = LAST,
    dtypes: Sequence[str] = _DTYPES,
    known: Sequence[Shape] | None = None,
) -> list[Fit]:
    """The models and dtypes whose bytes a token lie in an interval, whole caches first.

    `tp_size` is the number of ranks that share the heads (tp / dp under DP attention); without it powers of two are
    tried. Pools of the full and of the window layers are tried too, for a hybrid model prints a line for each.
    """
    found: dict[tuple[str, str, float, Part], Fit] = {}
    for shape in shapes() if known is None else known:
        for fit in _fits(shape, tp_size, release, dtypes):
            if fit.bytes_per_token in cell:
                found.setdefault((shape.name, fit.dtype, fit.bytes_per_token, fit.part), fit)
    return sorted(found.values(), key=lambda f: (f.part, dtypes.index(f.dtype), f.attention_tp))


def _fits(shape: Shape, tp_size: int | None, release: str, dtypes: Sequence[str]) -> Iterator[Fit]:
    sizes = (tp_size,) if tp_size is not None else (1,) if shape.mla else _SIZES
    for dtype in dtypes:
        for size in sizes:
            cache = cells.Cache(dtype=dtype, attention_tp=size)
            try:
                yield Fit(shape, dtype, size, cells.stored_bytes(release, shape, cache))
            except NotApplicable:
                continue
            if shape.window_layers and dtype != "fp4_e2m1":
                full, window = cells.window_layer_bytes(shape, cache)
                yield Fit(shape, dtype, size, full * shape.full_layers, "full layers")
                yield Fit(shape, dtype, size, window * shape.window_layers, "window layers")
