r"""Lines by which another inference server announces itself: one row a line.

Sample
    #@ 0.1.15..0.5.23
    INFO text_generation_launcher: Args { model_id: "bigscience/bloom-560m", revision: None }
    ERROR shard-manager: text_generation_launcher: Shard 0 failed to start
    INFO text_generation_router::server: Warming up model
    [TensorRT-LLM][INFO] Engine version 0.9.0 found in the config file, assuming engine(s) built by new builder API.
    [TensorRT-LLM] TensorRT-LLM version: 0.9.0
    llama_model_loader: loaded meta data with 24 key-value pairs and 291 tensors from model.gguf (version GGUF V3)
    time=2024-10-01T12:00:00.000Z level=INFO source=routes.go:1125 msg="Listening on 127.0.0.1:11434 (version 0.3.12)"

Meaning
    The log is of text-generation-inference, TensorRT-LLM, llama.cpp or Ollama, unless lines of SGLang stand beside it.

Source
    text-generation-inference `launcher/src/main.rs`, `router/src/server.rs`; TensorRT-LLM `cpp/tensorrt_llm/common/logger.h`;
    llama.cpp `src/llama-model-loader.cpp`; Ollama `server/routes.go`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape


def _line(program: str, pattern: str, contains: str) -> Shape:
    return Shape(pattern, contains=contains, sets={"program": program})


FAMILY = Family(
    shapes=(
        _line(
            "text-generation-inference",
            r"(?P<level>DEBUG|INFO|WARN|ERROR) (?:[\w-]+: |\w+\{[^}]{0,200}\}: )?text_generation_(?:launcher|router)[\w:]*: (?P<text>.*)",
            "text_generation_",
        ),
        _line("TensorRT-LLM", r"\[TensorRT-LLM\](?:\[(?P<level>\w+)\])? ?(?P<text>.*)", "[TensorRT-LLM]"),
        _line("llama.cpp", r"llama_model_loader: (?P<text>.*)", "llama_model_loader: "),
        _line("Ollama", r"time=\S+ level=(?P<level>\w+) source=\w+\.go:\d+ (?P<text>msg=.*)", ".go:"),
    ),
    columns=(
        Column("program", "text", "Which server it is."),
        Column("level", "text", "Level as printed."),
        Column("text", "text", "The message."),
    ),
    shared=True,
)
