"""Shapes of public models: the bytes of a token, forwards and backwards."""

from __future__ import annotations

import pytest

from logscope.errors import FactMissing
from logscope.model_shapes import SHAPES, fitting, shape_of
from logscope.quantity import Interval, Quantity


@pytest.mark.parametrize(
    ("model", "element_bytes", "tp_size", "size"),
    [
        ("Qwen2.5-0.5B", 2, 1, 12_288),
        ("Qwen3-0.6B", 2, 1, 114_688),
        ("Llama-3.1-8B", 2, 1, 131_072),
        ("Llama-3.3-70B", 2, 8, 40_960),
        ("Llama-3.3-70B", 2, 16, 40_960),
        ("Qwen3-235B-A22B", 2, 1, 192_512),
        ("Kimi-K2.5", 2, 8, 70_272),
        ("DeepSeek-V3", 1, 8, 35_136),
        ("DeepSeek-V2-Lite", 2, 1, 31_104),
        ("DeepSeek-V3.2", 2, 8, 78_324),
        ("DeepSeek-V3.2", 1, 8, 43_188),
    ],
)
def test_a_token_takes_the_published_bytes(model: str, element_bytes: int, tp_size: int, size: int) -> None:
    assert SHAPES[model].cell_bytes(element_bytes, tp_size) == size


def test_a_path_names_its_model_and_not_a_longer_one() -> None:
    assert shape_of("moonshotai/Kimi-K2.5") is SHAPES["Kimi-K2.5"]
    assert shape_of("/models/Qwen3-30B-A3B-Instruct-2507/") is SHAPES["Qwen3-30B-A3B"]
    assert shape_of("meta-llama/Llama-3.1-8B-Instruct") is SHAPES["Llama-3.1-8B"]
    assert shape_of("deepseek-ai/DeepSeek-V3.2-Exp") is SHAPES["DeepSeek-V3.2"]
    for other in ("deepseek-ai/DeepSeek-V3.9", "org/NotQwen3-4Bit", "a/model"):
        with pytest.raises(FactMissing, match="not listed"):
            shape_of(other)


def test_the_pool_of_story_2_fits_latent_attention_in_bf16_only() -> None:
    pool = Quantity.from_text("kv_pool", "10.42", "GiB").interval * 2.0**30
    cell = pool / Quantity.from_text("tokens", "159K").interval
    assert {(fit.dtype, fit.bytes) for fit in fitting(cell, 8)} == {("bf16", 70_272)}


def test_the_cell_of_story_1_fits_models_of_28_layers_only() -> None:
    assert {fit.model for fit in fitting(Interval(114_680, 114_693))} == {"Qwen3-0.6B", "Qwen3-1.7B", "Llama-3.2-3B"}
