"""The pool code of one release, run on configurations from stdin: one JSON object a line in, one a line out.

    python -m tools.conformance.release_pool RELEASE < configurations > results

A result holds the pool in tokens, the request slots and columns that were allocated, or the refusal.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import logging
import sys
import types
from typing import Any

from logscope.sglang.releases import order
from tools.conformance import stubs, wheels
from tools.conformance.release_sizing import Arguments, Config
from tools.conformance.stand_ins import algorithm, model_config, server_args, states, torch_stub

RUNNERS = (
    "sglang.srt.model_executor.model_runner",
    "sglang.srt.managers.controller.model_runner",
    "sglang.srt.managers.router.model_runner",
)
MIXIN = "sglang.srt.model_executor.model_runner_kv_cache_mixin"
CONFIGURATOR = "sglang.srt.model_executor.pool_configurator"
CACHE = "sglang.srt.mem_cache.kv_cache_configurator"


class Allocated(Exception):
    """Leaves the release's code once the request table is allocated."""


class Release:
    """The loaded pool code of one release."""

    def __init__(self, release: str) -> None:
        self.release = release
        self.cache = order(release) >= order("0.5.16")
        members = set(wheels.members(release, "sglang/srt/"))
        real = [name for name in (*RUNNERS, MIXIN, CONFIGURATOR, CACHE) if name.replace(".", "/") + ".py" in members]
        real = [name for name in real if not (self.cache and name in (*RUNNERS, MIXIN))]
        stubs.install(wheels.wheel(release), real)
        self.modules = [importlib.import_module(name) for name in real]
        self.row: list[tuple[int, int]] = []

    def run(self, config: Config) -> Config:
        """What the release's code makes of one configuration."""
        self.row.clear()
        arguments = server_args(config)
        for module in self.modules:
            self._patch(module, config, arguments)
        runner = self._runner(config, arguments)
        config = config | {"server_args": arguments}
        try:
            tokens = self._size(runner, config)
        except (RuntimeError, ValueError) as error:
            return {"refused": str(error).split("\n")[0]}
        slots, columns = self.row[-1] if self.row else (None, None)
        return {"tokens": tokens, "slots": slots, "columns": columns}

    def _size(self, runner: Any, config: Config) -> int:
        if order(self.release) < order("0.5.10"):
            extra: list[Any] = []
            if order("0.2.6") <= order(self.release) < order("0.5.7"):
                extra = [config["max_running_requests"]]
                extra += [config["max_total_tokens"]] if order(self.release) >= order("0.2.8") else []
            extra = [config["server_args"]] if order("0.5.7") <= order(self.release) < order("0.5.8") else extra
            unit = 1 << 30 if order(self.release) < order("0.1.17") else 1
            with contextlib.suppress(Allocated):
                runner.init_memory_pool(config["before"] * unit, *extra)
            return int(getattr(runner, "max_total_num_tokens", None) or runner.max_total_num_token)
        pool = runner._resolve_memory_pool_config(config["before"])
        self.row.append((pool.max_running_requests, -1))
        return int(pool.max_total_num_tokens)

    def _runner(self, config: Config, arguments: Any) -> Any:
        shape = config["shape"]
        classes = {c.__name__: c for module in self.modules for c in vars(module).values() if isinstance(c, type)}
        names = ("KVCacheConfigurator",) if self.cache else ("ModelRunnerKVCacheMixin", "ModelRunner")
        methods = types.SimpleNamespace()
        for name in reversed(names):
            vars(methods).update(vars(classes[name]) if name in classes else {})
        runner = Arguments(
            model_config=model_config(config),
            server_args=arguments,
            spec_algorithm=algorithm(config),
            spec_aux_config=types.SimpleNamespace(eagle_draft_num_layers=None, dflash_draft_num_layers=None),
            layer_info=types.SimpleNamespace(
                num_effective_layers=shape["layers"],
                start_layer=0,
                end_layer=shape["layers"],
                full_attention_layer_ids=list(range(shape["layers"] - shape["window_layers"])),
                swa_attention_layer_ids=list(range(shape["window_layers"])),
            ),
            kv_cache_dtype_str=arguments.kv_cache_dtype,
            fused_entry_bytes=lambda _: None,
            extra_mamba_cache_bytes_per_req=0,
            use_mla_backend=bool(shape["kv_lora_rank"]),
            is_hybrid=bool(shape["window_layers"]) or None,
            is_hybrid_swa=bool(shape["window_layers"]),
            sliding_window_size=128 if shape["window_layers"] else None,
            num_effective_layers=shape["layers"],
            start_layer=0,
            end_layer=shape["layers"],
            mem_fraction_static=config["fraction"],
            dtype="bfloat16",
            model_dtype="bfloat16",
            kv_cache_dtype=config["dtype"],
            page_size=config["page_size"],
            dp_size=config["dp_size"],
            attn_dp_size=config["dp_size"],
            ps=types.SimpleNamespace(attn_dp_size=config["dp_size"], pp_size=1),
            tp_size=config["attention_tp"],
            pp_size=1,
            mambaish_config=states(config),
            req_to_token_pool=None,
            token_to_kv_pool_allocator=None,
            is_draft_worker=False,
            device="cuda",
            gpu_id=0,
            tp_rank=0,
        )
        runner._class = methods
        return runner

    def _patch(self, module: types.ModuleType, config: Config, arguments: Any) -> None:
        parallel = types.SimpleNamespace(
            attn_tp_size=config["attention_tp"],
            attn_dcp_size=1,
            pp_size=1,
            launch_world_size=1,
            world_group=stubs.Stub(),
        )
        answers: dict[str, Any] = {
            "torch": torch_stub(),
            "get_available_gpu_memory": lambda *_, **__: config["after"],
            "get_attention_tp_size": lambda: config["attention_tp"],
            "is_float4_e2m1fn_x2": lambda dtype: dtype == "fp4_e2m1",
            "is_deepseek_nsa": lambda *_: bool(config["shape"]["index_head_dim"]),
            "is_deepseek_dsa": lambda *_: bool(config["shape"]["index_head_dim"]),
            "get_nsa_index_head_dim": lambda *_: config["shape"]["index_head_dim"],
            "get_dsa_index_head_dim": lambda *_: config["shape"]["index_head_dim"],
            "get_dsa_index_kpool": lambda *_: 1,
            "NSATokenToKVPool": types.SimpleNamespace(quant_block_size=128, index_k_with_scale_buffer_dtype="uint8"),
            "DSATokenToKVPool": types.SimpleNamespace(
                quant_block_size=128,
                index_k_with_scale_buffer_dtype="uint8",
                rope_storage_dtype=types.SimpleNamespace(itemsize=2),
            ),
            "AttentionArch": types.SimpleNamespace(MLA="MLA", MHA="MHA"),
            "mm_runtime_reservation_gb": lambda **_: 0.0,
            "mambaish_config": lambda *_: states(config),
            "kimi_linear_config": lambda *_: None,
            "get_spec": lambda: arguments,
            "get_context": lambda: arguments,
            "get_exec": stubs.Stub,
            "compute_page_shard_scratch_bytes": lambda *_, **__: 0,
            "ceil_div": lambda a, b: -(-a // b),
            "get_parallel": lambda: parallel,
            "get_disagg": lambda: types.SimpleNamespace(disaggregation_mode="null"),
            "dsa_layer_skips_topk": lambda *_: False,
            "_get_dsa_cache_layer_ids": lambda _, count: range(count),
            "get_schedule": lambda: arguments,
            "get_memory": lambda: arguments,
            "configured_pp_size": lambda: 1,
            "SGLANG_CI_SMALL_KV_SIZE": None,
            "is_cuda": lambda: True,
        }
        for name, answer in answers.items():
            if hasattr(module, name):
                setattr(module, name, answer)
        layers = vars(importlib.import_module("sglang.srt.layers.cp.utils"))
        layers["get_glm_dsa_layer_split_effective_num_layers"] = lambda _, count: count
        layers["get_glm_dsa_cp_layer_shard_info"] = lambda _: (0, 1)
        vars(importlib.import_module("sglang.srt.layers.attention.qsa.config"))["parse_qsa_profile"] = lambda _: None
        for name in ("ReqToTokenPool", "HybridReqToTokenPool"):
            if hasattr(module, name):
                setattr(module, name, self._record)

    def _record(self, size: int = 0, max_context_len: int = 0, **_: Any) -> None:
        self.row.append((size, max_context_len))
        raise Allocated


def main() -> int:
    logging.disable(logging.CRITICAL)
    release = Release(sys.argv[1])
    for line in sys.stdin:
        with contextlib.redirect_stdout(sys.stderr):
            try:
                result = release.run(json.loads(line))
            except (AssertionError, AttributeError, ImportError, KeyError, TypeError, ZeroDivisionError) as error:
                result = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(result, default=str))
    return 0


if __name__ == "__main__":
    sys.exit(main())
