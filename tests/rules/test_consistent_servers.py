"""Logs that a server could have printed contradict nothing, whatever its size; one changed number is found.

A start and its batches are computed as SGLang 0.5.9 computes them, and printed with its rounding.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import logscope
from logscope.check import Verdicts, check
from logscope.sglang.requests import max_running

GIB = 2**30
DUMP = (
    "[{clock}] server_args=ServerArgs(model_path='my-model', tp_size=1, dp_size=1, pp_size=1, device='cuda',"
    " mem_fraction_static={fraction}, context_length=None, max_running_requests=None, max_total_tokens=None,"
    " chunked_prefill_size=8192, page_size=1, kv_cache_dtype='auto', speculative_algorithm=None,"
    " decode_log_interval=40, disable_cuda_graph=False, disable_radix_cache=False, attention_backend='fa3')"
)


def clock(second: int) -> str:
    whole = 11 * 3600 + second
    return f"2026-02-28 {whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d}"


class Server:
    """One rank with a device of its own; `requests` run for `steps` decode lines of two seconds."""

    def __init__(self, before: float, weights: float, fraction: float, layers: int, requests: int) -> None:
        self.before, self.weights, self.fraction, self.layers = before, weights, fraction, layers
        self.after = before - weights
        self.cell = layers * 4096
        self.rest = self.after - before * (1 - fraction)
        self.tokens = int(self.rest * GIB // self.cell)
        self.context = 32768
        self.running = max_running("0.5.9", self.tokens, self.context)
        self.requests = min(requests, self.running)
        self.table = (self.running + 1) * (self.context + 4) * 4 / GIB
        self.pool = (self.tokens + 1) * self.cell / GIB
        self.end = self.after - self.pool - self.table - 0.05

    @property
    def serves(self) -> bool:
        """Whether it starts, and has room for its graphs and the prompts."""
        return self.rest > 2 and self.end > 6 and self.tokens > self.context + 600 * self.requests

    def start(self) -> list[str]:
        graphs = self.end - 0.2
        sizes = f"K size: {self.pool / 2:.2f} GB, V size: {self.pool / 2:.2f} GB"
        return [
            DUMP.format(clock=clock(0), fraction=self.fraction),
            f"[{clock(9)} TP0] Load weight begin. avail mem={self.before:.2f} GB",
            f"[{clock(50)} TP0] Load weight end. elapsed=41.20 s, type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem={self.after:.2f} GB, mem usage={self.weights:.2f} GB.",
            f"[{clock(52)} TP0] KV Cache is allocated. #tokens: {self.tokens}, {sizes}",
            f"[{clock(53)} TP0] Memory pool end. avail mem={self.end:.2f} GB",
            f"[{clock(54)} TP0] Capture cuda graph begin. This can take up to several minutes. avail mem={graphs:.2f} GB",
            f"[{clock(54)} TP0] Capture cuda graph bs [1, 2, 4, 8, 16, 32, 64, 128, 256]",
            f"[{clock(62)} TP0] Capture cuda graph end. Time elapsed: 7.86 s. mem usage={0.81:.2f} GB. avail mem={graphs - 0.81:.2f} GB.",
            f"[{clock(70)} TP0] max_total_num_tokens={self.tokens}, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests={self.running}, context_len={self.context}, available_gpu_mem={graphs - 0.81:.2f} GB",
            f"[{clock(75)}] The server is fired up and ready to roll!",
        ]

    def serving(self, lines: int = 6) -> list[str]:
        used = 300 * self.requests
        found = []
        for first in range(0, self.requests, 20):
            new = min(20, self.requests - first)
            found.append(
                f"[{clock(80)} TP0] Prefill batch, #new-seq: {new}, #new-token: {300 * new}, #cached-token: 0, token usage: {300 * (first + new) / self.tokens:.2f}, #running-req: {first}, #queue-req: 0, input throughput (token/s): 1000.00, cuda graph: False"
            )
        for line in range(1, lines + 1):
            used += 40 * self.requests
            found.append(
                f"[{clock(80 + 2 * line)} TP0] Decode batch, #running-req: {self.requests}, #token: {used}, token usage: {used / self.tokens:.2f}, cuda graph: {self.requests <= 256}, gen throughput (token/s): {20 * self.requests:.2f}, #queue-req: 0"
            )
        return found


def verdicts(lines: list[str], folder: Path) -> Verdicts:
    path = folder / "server.log"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return check(logscope.open_log(path).launches)


SERVERS = st.builds(
    Server,
    before=st.floats(20, 180),
    weights=st.floats(1, 120),
    fraction=st.integers(300, 930).map(lambda thousandths: thousandths / 1000),
    layers=st.integers(8, 96),
    requests=st.integers(1, 64),
)


@settings(max_examples=60)
@given(server=SERVERS.filter(lambda server: server.serves))
def test_a_server_that_could_have_been_is_accused_of_nothing(
    server: Server, tmp_path_factory: pytest.TempPathFactory
) -> None:
    found = verdicts(server.start() + server.serving(), tmp_path_factory.mktemp("log"))
    assert [f"{f.rule}: {f.message}" for f in found.findings if f.kind in ("impossible", "mismatch")] == []
    assert [f"{f.rule}: {f.message}" for f in found.findings if f.severity != "note"] == []


CHANGES = {
    "RUN101": ("token usage: ", lambda server: f"{min(0.99, 0.02 + 940 * server.requests / server.tokens):.2f}"),
    "RUN102": ("#token: ", lambda server: str(server.tokens + 1)),
    "RUN104": ("#running-req: ", lambda server: str(server.running + 1)),
    "CAP101": ("mem usage=", lambda server: "0.90"),
    "MEM101": ("Load weight begin. avail mem=", lambda server: f"{server.before + 3:.2f}"),
}


@settings(max_examples=12)
@given(server=SERVERS.filter(lambda server: server.serves and server.requests > 3))
@pytest.mark.parametrize("code", CHANGES)
def test_one_changed_number_is_found(code: str, server: Server, tmp_path_factory: pytest.TempPathFactory) -> None:
    key, value = CHANGES[code]
    lines = server.start() + server.serving()
    place = max(number for number, line in enumerate(lines) if key in line)
    before, _, after = lines[place].partition(key)
    rest = after.lstrip("-0123456789.")
    if after[: len(after) - len(rest)].endswith("."):  # the sentence's own full stop
        rest = "." + rest
    lines[place] = f"{before}{key}{value(server)}{rest}"
    found = verdicts(lines, tmp_path_factory.mktemp("log"))
    assert code in {f.rule for f in found.findings}, lines[place]
