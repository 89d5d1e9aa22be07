"""The sizing code of one release, run on configurations from stdin: one JSON object a line in, one a line out.

    python -m tools.conformance.release_sizing RELEASE < configurations > results

A result holds fraction, chunk and batch as the release's own code left them, or the error it raised.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import logging
import sys
import types
from collections.abc import Callable
from typing import Any

from logscope.sglang import arguments
from logscope.sglang.releases import order
from tools.conformance import stubs, wheels

SERVER_ARGS = "sglang.srt.server_args"
HOOK = "sglang.srt.arg_groups.memory_hook"
GRAPH_HOOK = "sglang.srt.arg_groups.cuda_graph_hook"
GRAPH_CONFIG = "sglang.srt.model_executor.cuda_graph_config"
PARALLEL_HOOK = "sglang.srt.arg_groups.parallel_hook"
NPU = "sglang.srt.hardware_backend.npu.utils"
CAPACITY_FUNCTIONS = (
    *("get_device_memory_capacity", "get_nvgpu_memory_capacity", "get_gpu_memory_capacity"),
    *("get_amdgpu_memory_capacity", "get_npu_memory_capacity", "get_hpu_memory_capacity"),
)
Config = dict[str, Any]


class Arguments(types.SimpleNamespace):
    """The fields of ServerArgs with the class's methods bound to them; what neither has is a stub."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        method = getattr(self.__dict__.get("_class"), name, None)
        return method.__get__(self) if isinstance(method, types.FunctionType) else stubs.Stub()


def fields(release: str, config: Config, graph_config: types.ModuleType | None) -> dict[str, Any]:
    """The default of each field, with what the configuration gives, under the names of the release."""
    given: dict[str, Any] = {f.name: f.default for f in arguments.fields(release).values() if f.has_default}
    given |= {"model_path": "llama-2-7b" if config["llama2_path"] else "model", "device": config["device"]}
    given |= {
        "tp_size": config["tp_size"],
        "pp_size": config["pp_size"],
        "dp_size": config["dp_size"],
        "enable_dp_attention": config["dp_attention"],
        "max_prefill_tokens": config["max_prefill_tokens"],
        "max_running_requests": config["max_running_requests"],
        "max_total_tokens": config["max_total_tokens"],
        "context_length": config["context_length"],
        "speculative_algorithm": config["speculative_algorithm"],
        "speculative_num_draft_tokens": config["speculative_draft_tokens"],
        "speculative_num_steps": 3,
        "speculative_eagle_topk": 1,
        "disaggregation_mode": config["disaggregation"],
        "moe_a2a_backend": "deepep" if config["deepep"] else "none",
        "language_only": config["language_only"],
        "language_model_only": False,
        "torch_compile_max_bs": config["torch_compile_max_batch"],
        "page_size": 1,
        "load_balance_method": "round_robin",
        "prefill_round_robin_balance": True,
        "random_seed": 1,
        "_cuda_graph_config_locked": set(),
    }
    if "attn_dp_size" in arguments.fields(release) and config["dp_attention"]:
        given |= {"attn_dp_size": config["dp_size"], "dp_size": 1}
    if config["chunked_prefill_size"] is not None or given.get("chunked_prefill_size") is None:
        given["chunked_prefill_size"] = config["chunked_prefill_size"]
    if config["graph_max_batch"] is not None or given.get("cuda_graph_max_bs") is None:
        given["cuda_graph_max_bs"] = config["graph_max_batch"]
    _graphs(given, config, graph_config)
    return given


def _graphs(given: dict[str, Any], config: Config, graph_config: types.ModuleType | None) -> None:
    asked = config["device"] == "cuda" if config["prefill_graphs"] is None else config["prefill_graphs"]
    given["enable_piecewise_cuda_graph"] = bool(config["prefill_graphs"])
    given["disable_piecewise_cuda_graph"] = not asked
    if config["prefill_graph_max_tokens"] is not None:
        given["piecewise_cuda_graph_max_tokens"] = config["prefill_graph_max_tokens"]
    if graph_config is None:
        return
    backend = graph_config.Backend
    breakable = backend.BREAKABLE if config["prefill_graphs_breakable"] else backend.TC_PIECEWISE
    phase = graph_config.PhaseConfig
    decode = phase(
        backend=backend.FULL if config["decode_graphs"] else backend.DISABLED, max_bs=config["graph_max_batch"]
    )
    prefill = phase(backend=breakable if asked else backend.DISABLED, max_bs=config["prefill_graph_max_tokens"])
    given["cuda_graph_config"] = graph_config.CudaGraphConfig(decode=decode, prefill=prefill)


def model(config: Config) -> Any:
    """What stands for the model's configuration."""
    vision = config["vision"]
    hf_config = types.SimpleNamespace(architectures=["LlamaForCausalLM"], vision_config=None)
    if vision is not None:
        hf_config.vision_config = types.SimpleNamespace(
            num_hidden_layers=vision["layers"], hidden_size=vision["hidden_size"]
        )
    return types.SimpleNamespace(is_multimodal=config["multimodal"], hf_config=hf_config, context_len=4096)


def patch(module: types.ModuleType, config: Config) -> None:
    """Replace what asks the machine: the capacity, the platform, the model."""
    capacity, device = config["capacity_mib"], config["device"]
    answers: dict[str, Callable[..., Any]] = {name: lambda *_, **__: capacity for name in CAPACITY_FUNCTIONS}
    for name in ("cuda", "hip", "npu", "cpu", "xpu", "hpu"):
        answers[f"is_{name}"] = lambda *_, name=name: device == name
    answers |= {
        "resolving_view": lambda args, *_: args,
        "resolved_view": lambda args, *_: args,
        "model_config_of": lambda *_: model(config),
        "use_mla_backend": lambda *_: config["mla"],
        "post_capture_kv_sizing_planned": lambda *_: config["post_capture"],
        "attn_dp_enabled_of": lambda *_: config["dp_attention"],
        "get_platform": lambda *_: types.SimpleNamespace(is_xpu=device == "xpu"),
        "declare_resolution": lambda args, _source, **values: args.__dict__.update(values),
    }
    cuda = types.SimpleNamespace(is_available=lambda: device == "cuda" and capacity is not None)
    for name, answer in answers.items():
        if hasattr(module, name):
            setattr(module, name, answer)
    if hasattr(module, "torch"):
        module.torch = types.SimpleNamespace(cuda=cuda)  # type: ignore[attr-defined]


def overrides(given: dict[str, Any], config: Config) -> dict[str, Any]:
    """Methods of the class that look at the model or the machine."""
    return {
        "get_model_config": lambda: model(config),
        "use_mla_backend": lambda: config["mla"],
        "post_capture_kv_sizing_planned": lambda: config["post_capture"],
        "_resolved": lambda: types.SimpleNamespace(**given),
    }


class Release:
    """The loaded code of one release."""

    def __init__(self, release: str) -> None:
        self.release = release
        self.hooks = order(release) >= order("0.5.19")
        self.whole = order(release) < order("0.5.3")
        graphs = [GRAPH_CONFIG] if order(release) >= order("0.5.14") else []
        real = [HOOK, GRAPH_HOOK, PARALLEL_HOOK, *graphs] if self.hooks else [SERVER_ARGS, *graphs]
        real += [NPU] if order(release) >= order("0.5.7") else []
        stubs.install(wheels.wheel(release), real)
        self.modules = {name: importlib.import_module(name) for name in real}

    def run(self, config: Config) -> Config:
        """What the release's code makes of one configuration."""
        for module in self.modules.values():
            patch(module, config)
        given = fields(self.release, config, self.modules.get(GRAPH_CONFIG))
        args = Arguments(**given)
        if NPU in self.modules and config["device"] == "npu" and config["capacity_mib"] is not None:
            self.modules[NPU].set_default_server_args(args)
        if self.hooks:
            hook = self.modules[HOOK].handle_gpu_memory_settings
            hook(args, config["capacity_mib"]) if self.release == "0.5.19" else hook(args)
            self.modules[PARALLEL_HOOK].handle_data_parallelism(args)
        else:
            self._run_class(args, given, config)
        return self._result(args)

    def _run_class(self, args: Arguments, given: dict[str, Any], config: Config) -> None:
        server_args = self.modules[SERVER_ARGS].ServerArgs
        loader = types.SimpleNamespace(from_server_args=lambda *_, **__: model(config))
        vars(importlib.import_module("sglang.srt.configs.model_config"))["ModelConfig"] = loader
        vars(importlib.import_module("sglang.srt.arg_groups.overrides"))["resolved_view"] = lambda view, *_: view
        args._class = server_args
        args.__dict__.update(overrides(given, config))
        if self.whole:
            server_args.__post_init__(args)
        else:
            server_args._handle_gpu_memory_settings(args, config["capacity_mib"])
            server_args._handle_data_parallelism(args)

    def _result(self, args: Arguments) -> Config:
        graph = args.__dict__.get("cuda_graph_config")
        batch = graph.decode.max_bs if graph is not None else args.__dict__.get("cuda_graph_max_bs")
        if not self.hooks and isinstance(args.__dict__.get("cuda_graph_max_bs"), int) and graph is None:
            batch = args.cuda_graph_max_bs
        batches = graph.decode.bs if graph is not None else args.__dict__.get("cuda_graph_bs")
        found = {"fraction": args.mem_fraction_static, "chunk": args.chunked_prefill_size, "batch": batch}
        return found | {"batches": batches if isinstance(batches, list) else None}


def main() -> int:
    logging.disable(logging.CRITICAL)
    release = Release(sys.argv[1])
    for line in sys.stdin:
        config = json.loads(line)
        with contextlib.redirect_stdout(sys.stderr):
            try:
                result = release.run(config)
            except (AssertionError, AttributeError, ImportError, RuntimeError, TypeError, ValueError) as error:
                result = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(result, default=str))
    return 0


if __name__ == "__main__":
    sys.exit(main())
