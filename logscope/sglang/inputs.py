"""What SGLang's sizing at start depends on: the arguments as they were given, and the device.

An absent value (None) means what it means to SGLang: not given, so the release chooses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Device = Literal["cuda", "hip", "cpu", "xpu", "npu", "hpu", "musa", "mps"]
Role = Literal["null", "prefill", "decode"]


@dataclass(frozen=True, slots=True)
class VisionTower:
    """The size of a vision encoder, the only thing that the vision correction of the fraction looks at."""

    layers: int = 24
    hidden_size: int = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """Arguments of one start, before SGLang resolves them.

    `capacity_mib` is the device capacity that the release reads (MiB; None when it cannot); `multimodal` says that the
    model takes images or sound, `vision` the size of its encoder where the configuration states one. `prefill_graphs`
    None leaves the release's default. `prefill_graph_shapes` is the number of captured prefill sizes where it is
    known (a dump prints the list); otherwise it is computed. `context_length` is the argument, `context_tokens` the
    length that is in force.
    """

    device: Device = "cuda"
    capacity_mib: float | None = None
    tp_size: int = 1
    pp_size: int = 1
    dp_size: int = 1
    dp_attention: bool = False
    chunked_prefill_size: int | None = None
    max_prefill_tokens: int = 16384
    graph_max_batch: int | None = None
    decode_graphs: bool = True
    prefill_graphs: bool | None = None
    prefill_graphs_breakable: bool = False
    prefill_graph_max_tokens: int | None = None
    prefill_graph_shapes: int | None = None
    torch_compile_max_batch: int | None = 32
    max_running_requests: int | None = None
    max_total_tokens: int | None = None
    context_length: int | None = None
    context_tokens: int = 0
    speculative_algorithm: str | None = None
    speculative_draft_tokens: int | None = None
    disaggregation: Role = "null"
    mla: bool = False
    sparse_attention: bool = False
    deepep: bool = False
    multimodal: bool = False
    vision: VisionTower | None = None
    language_only: bool = False
    llama2_path: bool = False
    post_capture: bool = False
    aiter: bool = False
