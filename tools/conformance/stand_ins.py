"""What stands for torch, the model, the arguments and the speculative algorithm when a release sizes its pool."""

from __future__ import annotations

import types
from typing import Any

from tools.conformance import stubs
from tools.conformance.release_sizing import Arguments, Config

ELEMENTS = {"bfloat16": 2, "fp8_e5m2": 1, "fp8_e4m3": 1, "fp4_e2m1": 1, "uint8": 1}


def torch_stub() -> Any:
    """The little of torch that sizing code touches; dtypes are their own names."""
    utils = types.SimpleNamespace(_element_size=lambda dtype: ELEMENTS[str(dtype)])
    tensor = types.SimpleNamespace
    return types.SimpleNamespace(
        _utils=utils,
        bfloat16="bfloat16",
        float16="bfloat16",
        uint8="uint8",
        int64="int64",
        float8_e5m2="fp8_e5m2",
        float8_e4m3fn="fp8_e4m3",
        float4_e2m1fn_x2="fp4_e2m1",
        iinfo=lambda _: types.SimpleNamespace(max=2**63 - 1),
        tensor=lambda value, **_: tensor(item=lambda: value),
        distributed=stubs.Stub(),
        inference_mode=lambda *_, **__: lambda function: function,
        no_grad=lambda *_, **__: lambda function: function,
    )


def model_config(config: Config) -> Any:
    """The model's configuration as the runner reads it."""
    shape, tp_size = config["shape"], config["attention_tp"]
    heads = lambda size=tp_size, *_: max(1, shape["kv_heads"] // size)  # noqa: E731
    full = shape["layers"] - shape["window_layers"]
    hf_config = types.SimpleNamespace(architectures=["Model"], num_hidden_layers=shape["layers"])
    return types.SimpleNamespace(
        num_hidden_layers=shape["layers"],
        num_key_value_heads=shape["kv_heads"],
        get_num_kv_heads=heads,
        get_swa_num_kv_heads=heads,
        head_dim=shape["head_dim"],
        v_head_dim=shape["v_head_dim"] or shape["head_dim"],
        swa_head_dim=shape["head_dim"],
        swa_v_head_dim=shape["v_head_dim"] or shape["head_dim"],
        kv_lora_rank=shape["kv_lora_rank"],
        qk_rope_head_dim=shape["rope_head_dim"],
        attention_arch="MLA" if shape["kv_lora_rank"] else "MHA",
        context_len=config["context_tokens"],
        hf_config=hf_config,
        hf_text_config=hf_config,
        full_attention_layer_ids=list(range(full)) if shape["window_layers"] else None,
        swa_attention_layer_ids=list(range(full, shape["layers"])) if shape["window_layers"] else None,
        is_hybrid_swa=bool(shape["window_layers"]),
        is_multimodal=False,
        quantization=None,
    )


def states(config: Config) -> Any:
    """The part of a hybrid model that keeps states; None for others."""
    shape = config["shape"]
    if not shape["state_layers"]:
        return None
    kept = shape["layers"] - shape["state_layers"]
    params = types.SimpleNamespace(mamba_cache_per_req=shape["state_bytes"], layers=list(range(shape["state_layers"])))
    return types.SimpleNamespace(full_attention_layer_ids=list(range(kept)), mamba2_cache_params=params)


def server_args(config: Config) -> Any:
    """The arguments that the runner reads."""
    arguments: Any = Arguments(
        mem_fraction_static=config["fraction"],
        kv_cache_dtype="auto" if config["dtype"] == "bfloat16" else config["dtype"],
        max_total_tokens=config["max_total_tokens"],
        max_running_requests=config["max_running_requests"],
        page_size=config["page_size"],
        enable_dp_attention=config["dp_size"] > 1,
        dp_size=config["dp_size"],
        pp_size=1,
        speculative_algorithm=config["algorithm"],
        speculative_num_steps=config["steps"],
        speculative_eagle_topk=config["top_k"],
        speculative_num_draft_tokens=config["draft_tokens"],
        swa_full_tokens_ratio=0.8,
        max_mamba_cache_size=config["state_slots"],
        mamba_full_memory_ratio=0.9,
        disable_radix_cache=not config["radix_cache"],
        override=lambda _, **values: arguments.__dict__.update(values),
        disable_mla=False,
        enable_mla=bool(config["shape"]["kv_lora_rank"]),
        disaggregation_mode="null",
        attention_backend="fa3",
        device="cuda",
    )
    return arguments


def algorithm(config: Config) -> Any:
    """What stands for the speculative algorithm."""
    name = config["algorithm"]
    return Arguments(
        is_none=lambda: name is None,
        is_eagle=lambda: name == "EAGLE",
        is_standalone=lambda: False,
        is_dflash=lambda: False,
        is_dflash_family=lambda: False,
    )
