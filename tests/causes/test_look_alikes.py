"""Texts that differ in one respect, and what each of the two is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import logscope

Reported = Callable[[bytes], dict[str, Any]]
TRACE = "[2026-02-03 04:05:06 TP1] Scheduler hit an exception: Traceback (most recent call last):\n"
CAPTURE = '  File "/opt/sglang/srt/model_executor/cuda_graph_runner.py", line 500, in capture\n    self.capture_one_batch_size(bs)\n'
HINTS = "Possible solutions:\n1. set --mem-fraction-static to a smaller value (e.g., 0.8 or 0.7)\n"
FORWARD = (
    '  File "/opt/sglang/srt/models/llama.py", line 210, in forward\n    hidden_states = self.mlp(hidden_states)\n'
)
FORBIDDEN = "RuntimeError: CUDA error: operation failed due to a previous error during capture\n"
ILLEGAL = "RuntimeError: CUDA error: an illegal memory access was encountered\n"
OOM = (
    "torch.OutOfMemoryError: HIP out of memory. Tried to allocate 7.50 GiB. GPU 1 has a total capacity of 191.98 GiB "
    "of which 3.25 GiB is free.\n"
)
SHM = "host7:77:77 [0] misc/shmutils.cc:113 NCCL WARN Error while creating shared memory segment /dev/shm/nccl-Q1w (size 9637892)\n"
SOCKET = "host7:77:77 [0] misc/socket.cc:484 NCCL WARN socketStartConnect: Connect to 10.1.1.9<5555> failed : No route to host\n"
NCCL = TRACE + "RuntimeError: NCCL error: unhandled system error (run with NCCL_DEBUG=INFO for details)\n"
INIT = "[2026-02-03 04:05:00 TP1] Init torch distributed begin.\n"
UNBALANCED = TRACE + "ValueError: The memory capacity is unbalanced. Some GPUs may be occupied by other processes.\n"
STORE = (
    '  File "/opt/sglang/srt/mem_cache/storage/mooncake_store/mooncake_store.py", line 400, in __init__\n'
    "RuntimeError: Failed to setup Mooncake store, error code: -1\n"
)
MASTER = "E0203 04:05:05.000001  4711 client.cpp:99] Failed to connect to master: 10.1.1.4:50051\n"
ADAPTER = "[2026-02-03 04:05:00] Start load Lora adapter. Lora name=a, path=/a\n"
ANSWER = '[2026-02-03 04:05:02] INFO:     10.0.0.3:1 - "POST /load_lora_adapter HTTP/1.1" 400 Bad Request\n'
GRAPH = "Exception: Capture cuda graph failed: CUDA error: {}\n" + HINTS

LOOP = '  File "/opt/sglang/srt/managers/scheduler.py", line 77, in event_loop_overlap\n    self.run_batch(batch)\n'
REPLAY = LOOP + (
    '  File "/opt/sglang/srt/model_executor/cuda_graph_runner.py", line 700, in replay\n    self.graphs[self.bs].replay()\n'
)
BALANCER = (
    "ERROR:    Exception in ASGI application\nTraceback (most recent call last):\n"
    '  File "/opt/sglang/srt/disaggregation/mini_lb.py", line 67, in generate\n    await asyncio.gather(*tasks)\n'
    "aiohttp.client_exceptions.ClientConnectorError: Cannot connect to host 10.9.0.4:30001 ssl:default\n"
)
TWICE = "h:77:77 [0] init.cc:943 NCCL WARN Duplicate GPU detected : rank 1 and rank 0 both on CUDA device 1a000\n"
USAGE = (
    TRACE + "torch.distributed.DistBackendError: NCCL error in: NCCLUtils.hpp:268, invalid usage, NCCL version 2.21.5\n"
)
WATCHDOG = "[2026-02-03 04:10:06 TP1] Watchdog timeout (self.watchdog_timeout=300)\n"
COMPILES = "[2026-02-03 04:05:02 TP0] Entering DeepGEMM JIT Pre-Compile session. It may takes a long time.\n"
COMPILER = '  File "/opt/torch/_dynamo/eval_frame.py", line 655, in _fn\n    return fn(*args, **kwargs)\n'
RUNNER = '  File "/opt/sglang/srt/model_executor/cuda_graph_runner.py", line 318, in __init__\n    self.capture()\n'
ROUTER = "2026-01-08 07:00:{:02d} {} smg::core::circuit_breaker: src/core/circuit_breaker.rs:286: {}\n"
OPENED = ROUTER.format(1, " INFO", "Circuit breaker state transition: closed -> open")
CLOSED = ROUTER.format(9, " INFO", "Circuit breaker state transition: half_open -> closed")
STARTS = ROUTER.format(
    0, " INFO", "Starting router | circuit_breaker: CircuitBreakerConfig { timeout: 60s } worker_startup: 1503"
)
PENDING = "[Router (Rust)] 2026-01-08 06:59:00 - INFO - Worker http://h:1 health check is pending with error: refused\n"
ANSWERED = (
    '2026-01-08 07:00:11  INFO http_request{method=POST uri=/v1/completions version=HTTP/1.1 request_id="cmpl-1"}: '
    "smg::request: src/middleware.rs:280: finished processing request status=200 OK latency=2.1035\n"
)
WAITED = "DeepEP timeout check failed: rank = 5, thread = 1, value = 1024)\n"
TRAPPED = TRACE + LOOP + "RuntimeError: CUDA error: unspecified launch failure\n"
SENDS = (
    "Exception in thread Thread-9 (transfer_worker):\nTraceback (most recent call last):\n"
    '  File "/opt/sglang/srt/disaggregation/nixl/conn.py", line 727, in maybe_send_extra\n    raise RuntimeError(\n'
)
LIMIT = "slurmstepd: error: *** STEP 7.0 ON n1 CANCELLED AT 2026-02-03T05:00:00 DUE TO TIME LIMIT ***\n"
SERVES = "[2026-02-03 04:05:01 TP1] Decode batch, #running-req: 0, #token: 0, token usage: 0.00, cuda graph: True, gen throughput (token/s): 90.00, #queue-req: 0\n"
PROBED = "  Normal   Killing   10s   kubelet   Container sglang failed liveness probe, will be restarted\n"
STAMPED = (
    "[rank0]:[E203 04:15:{} ProcessGroupNCCL.cpp:632] [Rank 0] Watchdog caught collective operation timeout: WorkNCCL("
    "SeqNum=8, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600018 milliseconds before timing out.\n"
)
UPDATED = "[2026-02-03 04:05:07 TP1] Update weights end.\n"
TORN = "[2026-02-03 04:05:06 TP1] Failed to update parameter online: The size of tensor a must match. The full weights of the ModelRunner are partially updated. Please discard the whole weights.\n"
PIXELS = "[12-27 11:24:20] Starting server...\n[12-27 11:26:20] Pixel data generated successfully in 70.11 seconds\n"
SOFT = "[2026-02-03 04:10:30] TokenizerManager watchdog timeout (self.watchdog_timeout=300, self.soft=True)\n"

PAIRS = {
    "a pause that a soft watchdog saw": (
        SERVES + SOFT + SERVES.replace("04:05:01", "04:10:40"),
        "not_enough_evidence",
        "leave",
    ),
    "a pause of a server that is idle": (SERVES + SERVES.replace("04:05:01", "04:10:40"), "healthy", "leave"),
    "an exception within the wait of others": (
        STAMPED.format("05.9") + TRACE + FORWARD + "KeyError: 'rid'\n",
        "server_defect",
        "leave",
    ),
    "an exception behind the wait of others": (
        STAMPED.format("05.9") + TRACE.replace("04:05:06", "04:15:30") + FORWARD + "KeyError: 'rid'\n",
        "collective_stalled",
        "leave",
    ),
    "weights that were half replaced": (SERVES + TORN, "server_defect", "leave"),
    "weights that were replaced again": (SERVES + TORN + UPDATED + SERVES, "healthy", "leave"),
    "a diffusion server that made its pictures": (PIXELS, "healthy", "leave"),
    "a circuit that stays open": (STARTS + OPENED, "router_rejecting", "leave"),
    "a circuit that closes again": (STARTS + OPENED + CLOSED + ANSWERED, "healthy", "leave"),
    "a worker that is awaited": (PENDING, "router_rejecting", "leave"),
    "a worker that was awaited": (PENDING + ANSWERED, "healthy", "leave"),
    "a router that prints its limits": (STARTS + ANSWERED, "healthy", "leave"),
    "a kernel that gave up and trapped": (WAITED + TRAPPED, "collective_stalled", "leave"),
    "a kernel that failed at a launch": (TRAPPED, "device_fault", "leave"),
    "a fault that made others wait": (WAITED + TRACE + LOOP + ILLEGAL, "device_fault", "leave"),
    "two sides that differ": (
        SENDS + "RuntimeError: PD Disaggregation does NOT support PD different TP sizes for hybrid mamba models yet.\n",
        "prefill_decode_handshake",
        "leave",
    ),
    "a send that failed": (SENDS + "Exception: KVSender failed to post transfer\n", "prefill_decode_transfer", "leave"),
    "a job at its limit": (SERVES + LIMIT + NCCL, "stopped_on_request", "leave"),
    "a job that failed before its limit": (
        SERVES + TRACE + FORWARD + "KeyError: 'rid'\n" + LIMIT,
        "server_defect",
        "leave",
    ),
    "a server whose probe ended it": (SERVES + PROBED, "stopped_on_request", "leave"),
    "a failed server whose probe ended it": (
        SERVES + TRACE + FORWARD + "KeyError: 'rid'\n" + PROBED,
        "server_defect",
        "leave",
    ),
    "a graph that is captured": (INIT + TRACE + CAPTURE + OOM, "graph_capture_failed_memory", "lower"),
    "a graph that is replayed": (TRACE + REPLAY + OOM, "forward_out_of_memory", "lower"),
    "a compiler that fails in a capture": (
        INIT + TRACE + RUNNER + COMPILER + "torch._dynamo.exc.Unsupported: x\n",
        "graph_capture_failed_other",
        "leave",
    ),
    "a balancer without its worker": (BALANCER, "router_rejecting", "leave"),
    "two ranks on one device": (INIT + TWICE + USAGE, "configuration_refused", "leave"),
    "an error of NCCL alone": (INIT + USAGE, "not_enough_evidence", "leave"),
    "a stall behind a compile": (COMPILES + WATCHDOG, "compiling_in_forward", "leave"),
    "a stall alone": (WATCHDOG, "rank_stalled", "leave"),
    "a call that a capture forbids": (INIT + TRACE + CAPTURE + FORBIDDEN, "graph_capture_failed_other", "leave"),
    "an access that a capture met": (INIT + TRACE + CAPTURE + ILLEGAL, "device_fault", "leave"),
    "a traceback of a forward alone": (FORWARD + OOM, "forward_out_of_memory", "lower"),
    "an allocator's sentence alone": (OOM, "not_enough_evidence", "leave"),
    "shared memory that is too small": (INIT + SHM + NCCL, "environment_broken", "leave"),
    "a host that cannot be reached": (INIT + SOCKET + NCCL, "network_unreachable", "leave"),
    "ranks that differ, without numbers": (INIT + UNBALANCED, "device_shared", "leave"),
    "a store whose master is away": (INIT + MASTER + TRACE + STORE, "network_unreachable", "leave"),
    "a store that refuses": (INIT + TRACE + STORE, "server_defect", "leave"),
    "an adapter that is never loaded": (ADAPTER, "adapter_stalled", "leave"),
}


@pytest.mark.parametrize("name", PAIRS)
def test_texts_that_look_alike_are_told_apart(name: str, reported: Reported) -> None:
    text, cause, way = PAIRS[name]
    verdict = reported(text.encode())["verdict"]
    assert (verdict["cause"], verdict["fraction"]) == (cause, way)


def test_an_adapter_whose_load_was_refused_stalls_nothing(reported: Reported) -> None:
    assert reported((ADAPTER + ANSWER).encode())["verdict"]["cause"] != "adapter_stalled"


@pytest.mark.parametrize(
    ("text", "state"),
    [
        (INIT + NCCL, "failed_startup"),
        (TRACE + "KeyError: 'rid'\n", "unknown"),
        (TRACE + '  File "/opt/sglang/srt/managers/scheduler.py", line 9, in run\n    scheduler = Scheduler(\nKeyError: 1\n', "failed_startup"),
        (TRACE + FORWARD + "KeyError: 'rid'\n", "ready_then_crashed"),
    ],
)  # fmt: skip
def test_a_start_failed_only_where_a_line_shows_a_start(text: str, state: str, reported: Reported) -> None:
    report = reported(text.encode())
    assert report["launches"][-1]["state"] == state
    assert report["inputs"][0]["complete"]


def test_a_second_server_in_one_text_is_judged_by_its_own_memory(reported: Reported) -> None:
    text = (
        "[2026-02-03 04:05:00] Load weight begin. avail mem=78.50 GB\n"
        "[2026-02-03 04:05:20] Load weight end. type=A, dtype=torch.bfloat16, avail mem=62.80 GB, mem usage=15.70 GB.\n"
        "[2026-02-03 04:05:40] The server is fired up and ready to roll!\n"
        "[2026-02-03 04:09:00] Load weight begin. avail mem=31.40 GB\n"
        "[2026-02-03 04:09:20] Load weight end. type=A, dtype=torch.bfloat16, avail mem=15.70 GB, mem usage=15.70 GB.\n"
        "[2026-02-03 04:09:21] Scheduler hit an exception: Traceback (most recent call last):\n"
        "RuntimeError: Not enough memory. Please try to increase --mem-fraction-static. Current value: mem_fraction_static=0.4\n"
    )
    report = reported(text.encode())
    assert [launch["state"] for launch in report["launches"]] == ["ready", "failed_startup"]
    assert 0.49 < report["verdict"]["fraction_range"]["lo"] < 0.51


def test_a_remedy_at_the_end_of_a_long_message_is_told(reported: Reported) -> None:
    frames = (
        '  File "/opt/sglang/srt/configs/model_config.py", line 99, in _derive_context_length\n    raise ValueError(\n'
    )
    message = (
        "ValueError: User-specified context_length (65536) is greater than the derived context_length (8192). "
        + "This may lead to incorrect outputs. " * 8
        + "To allow it, set the env var SGLANG_SOME_SWITCH=1\n"
    )
    verdict = reported((INIT + TRACE + frames + message).encode())["verdict"]
    assert "SGLANG_SOME_SWITCH=1" in verdict["sentence"]
    assert any("SGLANG_SOME_SWITCH=1" in action["do"] for action in verdict["actions"])
    assert not any(line["text"].strip() == "raise ValueError(" for line in verdict["evidence"])


def test_the_port_that_is_taken_and_how_to_find_its_owner_are_named(reported: Reported) -> None:
    text = "[2026-02-03 04:05:06] ERROR:    [Errno 98] error while attempting to bind on address ('0.0.0.0', 30123): address already in use\n"
    action = reported(text.encode())["verdict"]["actions"][0]["do"]
    assert "30123" in action
    assert "ss -ltnp" in action


def test_a_pipeline_without_a_static_pool_is_not_told_to_move_the_fraction(reported: Reported) -> None:
    frames = '  File "/opt/sglang/multimodal_gen/runtime/pipelines_core/stages/decoding.py", line 9, in decode\n    x = self.vae.decode(z)\n'
    verdict = reported(("Traceback (most recent call last):\n" + frames + OOM).encode())["verdict"]
    assert (verdict["cause"], verdict["fraction"]) == ("forward_out_of_memory", "leave")
    assert not any("mem-fraction" in action["do"] for action in verdict["actions"])


def test_the_compiler_s_own_word_stands_first(reported: Reported) -> None:
    text = (
        INIT
        + TRACE
        + "RuntimeError: Ninja build failed. Ninja output:\n"
        + "ninja: Entering directory `/root/x'\n[1/3] nvcc -gencode=arch=compute_121a -c a.cu -o a.cuda.o\n"
        + "FAILED: a.cuda.o\nnvcc fatal   : Unsupported gpu architecture 'compute_121a'\nninja: build stopped: subcommand failed.\n"
    )
    verdict = reported(text.encode())["verdict"]
    assert verdict["cause"] == "environment_broken"
    assert "compute_121a" in verdict["sentence"]
    assert verdict["evidence"][0]["text"].startswith("nvcc fatal")


@pytest.mark.parametrize(
    ("fault", "variable"),
    [
        ("RuntimeError: HIP error: an illegal memory access was encountered", "AMD_SERIALIZE_KERNEL"),
        ("RuntimeError: CUDA error: an illegal memory access was encountered", "CUDA_LAUNCH_BLOCKING"),
    ],
)
def test_a_fault_is_reproduced_by_the_means_of_its_own_runtime(fault: str, variable: str, reported: Reported) -> None:
    assert variable in reported((TRACE + LOOP + fault + "\n").encode())["verdict"]["actions"][0]["do"]


@pytest.mark.parametrize(("share", "flag"), [("1.00", "--max-mamba-cache-size"), ("0.20", "--max-running-requests")])
def test_the_limit_that_binds_is_the_one_to_raise(share: str, flag: str, reported: Reported) -> None:
    text = "".join(
        f"[2026-02-03 04:05:{second:02d} TP0] Decode batch, #running-req: 40, #full token: 88120, full token usage: 0.21, "
        f"mamba num: 80, mamba usage: {share}, cuda graph: True, gen throughput (token/s): 900.00, #queue-req: {60 + second}\n"
        for second in range(0, 40, 4)
    )
    verdict = reported(text.encode())["verdict"]
    assert verdict["cause"] == "admission_capped"
    assert verdict["actions"][0]["set"]["flag"] == flag


IMAGES = (
    "[2026-02-03 04:05:06] Error in request: it failed\nTraceback (most recent call last):\n"
    '  File "/opt/sglang/srt/multimodal/processors/base_processor.py", line 270, in process_mm_data\n    processor(x)\n'
)
ALIVE = "[2026-02-03 04:06:{:02d} TP0] Decode batch, #running-req: 2, #token: 9120, token usage: 0.02, cuda graph: True, gen throughput (token/s): 150.21, #queue-req: 0\n"


def test_a_request_that_found_no_memory_is_told_although_the_server_goes_on(reported: Reported) -> None:
    report = reported((IMAGES + OOM + ALIVE.format(1) + ALIVE.format(2)).encode())
    assert report["launches"][-1]["state"] == "ready"
    assert (report["verdict"]["cause"], report["verdict"]["fraction"]) == ("forward_out_of_memory", "lower")
    assert "--disable-fast-image-processor" in report["verdict"]["actions"][0]["do"]


def test_a_request_that_failed_for_itself_is_no_lack_of_memory(reported: Reported) -> None:
    text = IMAGES + "ValueError: cannot identify image file\n" + ALIVE.format(1) + ALIVE.format(2)
    assert reported(text.encode())["verdict"]["cause"] == "healthy"


@pytest.mark.parametrize(
    "said",
    ["a_new_pool memory leak detected! kept: 12, given: 11", "kv memory leak detected! total=4096 available=4090"],
)
def test_a_leak_in_words_of_no_known_release_is_a_leak(said: str, reported: Reported) -> None:
    verdict = reported((TRACE + LOOP + f"ValueError: {said}\n").encode())["verdict"]
    assert (verdict["cause"], verdict["confidence"]) == ("pool_accounting_broken", "likely")


def test_a_refused_request_is_a_sign_of_a_server_that_serves(reported: Reported) -> None:
    text = (
        "[2026-02-03 04:05:00 TP0] max_total_num_tokens=40000, chunked_prefill_size=2048, max_prefill_tokens=16384, max_running_requests=2048, context_len=131072, available_gpu_mem=6.20 GB\n"
        "[2026-02-03 04:06:00 TP0] Input length (60012 tokens) exceeds the maximum allowed length (39994 tokens). Use a shorter input or enable --allow-auto-truncate.\n"
    )
    assert reported(text.encode())["launches"][-1]["state"] == "ready"


TARGET = "[2026-02-03 04:04:00 TP1] Load weight end. type=A, dtype=torch.bfloat16, avail mem=20.10 GB, mem usage=171.00 GB.\n"
BEGIN = "[2026-02-03 04:05:00 TP1] Load weight begin. avail mem=20.00 GB\n"
LOADS = (
    '  File "/opt/sglang/srt/model_executor/model_runner.py", line 900, in load_model\n    self.model = get_model(\n'
)


@pytest.mark.parametrize(("before", "cause"), [(TARGET, "load_out_of_memory"), ("", "device_shared")])
def test_what_a_target_left_for_its_draft_is_held_by_nobody_else(before: str, cause: str, reported: Reported) -> None:
    assert reported((before + BEGIN + TRACE + LOADS + OOM).encode())["verdict"]["cause"] == cause


_REPLICAS = """[2026-03-04 15:33:00 DP0 TP0] max_total_num_tokens=10000, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=64, context_len=2048, available_gpu_mem=8.93 GB
[2026-03-04 15:33:00 DP1 TP1] max_total_num_tokens=10000, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=64, context_len=2048, available_gpu_mem=8.93 GB
[2026-03-04 15:33:10] The server is fired up and ready to roll!
[2026-03-04 15:33:11 DP1 TP1] Decode batch, #running-req: 40, #token: 4000, token usage: 0.40, cuda graph: True, gen throughput (token/s): 42.0, #queue-req: 0
[2026-03-04 15:33:11 DP0 TP0] Decode batch, #running-req: 3, #token: 300, token usage: 0.03, cuda graph: True, gen throughput (token/s): 42.0, #queue-req: 0
[2026-03-04 15:33:12 DP1 TP1] Scheduler hit an exception: Traceback (most recent call last):
  File "/srv/sglang/srt/managers/scheduler.py", line 10, in run_scheduler_process
    scheduler.event_loop_overlap()
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 1 has a total capacity of 94.00 GiB of which 1.21 GiB is free.

[2026-03-04 15:33:13 DP0 TP0] Decode batch, #running-req: 2, #token: 200, token usage: 0.02, cuda graph: True, gen throughput (token/s): 43.0, #queue-req: 0
"""


@pytest.mark.parametrize("failing", ["DP1 TP1", "DP0 TP0"])
def test_the_batch_that_failed_is_that_of_the_failing_replica_before_its_failure(failing: str, tmp_path: Path) -> None:
    text = _REPLICAS.replace(" DP1 TP1] Scheduler", f" {failing}] Scheduler")
    path = tmp_path / "server.log"
    path.write_text(text)
    report = logscope.analyze(logscope.open_log(path)).data
    share, line = ("40", 4) if failing == "DP1 TP1" else ("3.0", 5)
    assert f"the KV pool was {share}" in report["verdict"]["sentence"]
    assert line in [one["line"] for one in report["verdict"]["evidence"]]
    assert 11 not in [one["line"] for one in report["verdict"]["evidence"]]


LOST = "[2026-02-03 04:05:06 TP0] Lost connection with prefill instance (bootstrap_addr: 10.4.2.7:8998), {} transfers affected\n"
DECODES = "[2026-02-03 04:05:{:02d} TP0] Decode batch, #running-req: 2, #token: 9120, token usage: 0.02, pre-allocated usage: 0.00, #prealloc-req: 0, #transfer-req: 0, #retracted-req: 0, cuda graph: True, gen throughput (token/s): 150.21, #queue-req: 0\n"


@pytest.mark.parametrize(("owed", "cause"), [(3, "prefill_decode_transfer"), (0, "healthy")])
def test_a_prefill_instance_that_vanished_is_named_if_it_owed_something(
    owed: int, cause: str, reported: Reported
) -> None:
    verdict = reported((DECODES.format(1) + LOST.format(owed) + DECODES.format(9)).encode())["verdict"]
    assert verdict["cause"] == cause
    assert ("10.4.2.7:8998" in str(verdict["actions"])) == bool(owed)


@pytest.mark.parametrize(
    ("fault", "told", "remedy"),
    [
        ("RuntimeError: CUDA error: uncorrectable ECC error encountered\n", "uncorrectable ECC", "nvidia-smi"),
        ("[ 8123.4] NVRM: Xid (PCI:0000:3b:00): 79, pid='<unknown>', GPU has fallen off the bus.\n", "Xid 79", "nvidia-smi"),
        ("[ 8123.4] NVRM: Xid (PCI:0000:3b:00): 31, pid=77, name=python3, MMU Fault\n", "Xid 31", "CUDA_LAUNCH_BLOCKING"),
        ("HW Exception by GPU node-5 (Agent handle: 0x55d0a3b7ab10) reason :GPU Hang\n", "GPU Hang", "AMD_SERIALIZE"),
    ],
)  # fmt: skip
def test_a_broken_card_is_drained_and_a_failed_kernel_is_reproduced(
    fault: str, told: str, remedy: str, reported: Reported
) -> None:
    verdict = reported((SERVES + TRACE + LOOP + fault).encode())["verdict"]
    assert verdict["cause"] == "device_fault"
    assert told in verdict["sentence"]
    assert remedy in verdict["actions"][0]["do"]
