"""Starts that fail, or only look as if they did: each text beside one that differs in the respect that decides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Reported = Callable[[bytes], dict[str, Any]]
TRACE = "[2026-02-03 04:05:06 TP1] Scheduler hit an exception: Traceback (most recent call last):\n"
DUMP = "[2026-02-03 04:04:00] server_args={'model_path': '/m/a', 'tp_size': 2, 'mem_fraction_static': 0.85}\n"
BEGIN = "[2026-02-03 04:05:00 TP{}] Load weight begin. avail mem=78.60 GB\n"
END = (
    "[2026-02-03 04:05:04 TP1] Load weight end. type=A, dtype=torch.bfloat16, avail mem=62.60 GB, mem usage=16.00 GB.\n"
)
UP = (
    "[2026-02-03 04:06:00 TP0] max_total_num_tokens=90000, chunked_prefill_size=8192, max_prefill_tokens=16384, "
    "max_running_requests=2048, context_len=32768, available_gpu_mem=6.20 GB\n"
)
READY = "[2026-02-03 04:06:10] The server is fired up and ready to roll!\n"
BATCH = (
    "[2026-02-03 04:07:00 TP0] Decode batch, #running-req: 0, #token: 9120, token usage: 0.10, cuda graph: True, "
    "gen throughput (token/s): 150.21, #queue-req: 0\n"
)
SERVING = UP + READY + BATCH
IMPORT = (
    "Traceback (most recent call last):\n"
    '  File "/opt/sglang/srt/layers/quick.py", line 12, in _probe\n    import quick_kernels\n'
    "ModuleNotFoundError: No module named 'quick_kernels'\n"
)
SAID = "[2026-02-03 04:04:30] quick_kernels cannot be used{}\n"


@pytest.mark.parametrize("before", ["", DUMP])
@pytest.mark.parametrize("words", [", falling back to torch", ""])
def test_a_traceback_before_the_load_of_a_server_that_came_up_is_no_failure(
    before: str, words: str, reported: Reported
) -> None:
    report = reported((before + SAID.format(words) + IMPORT + BEGIN.format(0) + BEGIN.format(1) + SERVING).encode())
    assert [launch["state"] for launch in report["launches"]] == ["ready"]
    assert report["verdict"]["cause"] == "healthy"


def test_an_import_that_is_done_without_is_no_failure_of_a_start_that_goes_on(reported: Reported) -> None:
    report = reported((SAID.format(", skipping it") + IMPORT + BEGIN.format(0) + BEGIN.format(1)).encode())
    assert [launch["state"] for launch in report["launches"]] == ["starting"]
    assert report["verdict"]["cause"] == "not_enough_evidence"


def test_an_import_that_ends_a_process_fails_its_start_and_the_next_one_is_another(reported: Reported) -> None:
    ended = TRACE + IMPORT.partition("\n")[2]
    report = reported((ended + BEGIN.format(0) + BEGIN.format(1) + SERVING).encode())
    assert [launch["state"] for launch in report["launches"]][-1] == "ready"
    assert len(report["launches"]) == 2
    assert report["verdict"]["cause"] == "environment_broken"


def test_a_refusal_between_two_dumps_is_the_first_start_s(reported: Reported) -> None:
    refused = (
        'Traceback (most recent call last):\n  File "/opt/sglang/srt/server_args.py", line 9, in check_server_args\n'
        "AssertionError: page_size must divide chunked_prefill_size\n"
    )
    report = reported((DUMP + refused + DUMP + BEGIN.format(0) + SERVING).encode())
    assert [launch["state"] for launch in report["launches"]] == ["failed_startup", "ready"]
    assert report["verdict"]["cause"] == "configuration_refused"


POOL = '  File "/opt/sglang/srt/mem_cache/memory_pool.py", line 700, in _create_buffers\n    torch.zeros(\n'
OUT = (
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 640.00 MiB. GPU 1 has a total capacity of 79.10 GiB "
    "of which 400.00 MiB is free. {} Of the allocated memory {} GiB is allocated by PyTorch, and 90.10 MiB is reserved "
    "by PyTorch but unallocated.\n"
)
THEIRS = "Process 41 has 45.10 GiB memory in use."
OURS = "Process 52 has 33.60 GiB memory in use."
ALL_OURS = "Process 52 has 78.70 GiB memory in use."
KNOWN = "Including non-PyTorch memory, this process has 33.60 GiB memory in use."
SMALL = "Process 41 has 1.10 GiB memory in use. Process 52 has 77.60 GiB memory in use."


@pytest.mark.parametrize(
    ("processes", "allocated", "cause"),
    [
        (f"{THEIRS} {OURS}", "32.90", "device_shared"),
        (f"{OURS} {THEIRS}", "32.90", "device_shared"),
        (f"{THEIRS} {KNOWN}", "32.90", "device_shared"),
        (ALL_OURS, "76.30", "pool_allocation_failed"),
        (SMALL, "76.30", "pool_allocation_failed"),
    ],
)
@pytest.mark.parametrize("load", [BEGIN.format(1) + END, END])
def test_a_pool_that_another_process_left_no_room_for_is_not_too_large(
    processes: str, allocated: str, cause: str, load: str, reported: Reported
) -> None:
    verdict = reported((load + TRACE + POOL + OUT.format(processes, allocated)).encode())["verdict"]
    assert verdict["cause"] == cause
    assert verdict["fraction"] == ("leave" if cause == "device_shared" else "lower")


FORWARD = '  File "/opt/sglang/srt/models/a.py", line 210, in forward\n    x = self.mlp(x)\n'


@pytest.mark.parametrize(("free_gb", "cause"), [("78.60", "device_shared"), ("33.90", "forward_out_of_memory")])
def test_a_tenant_that_was_there_before_the_load_is_part_of_what_was_planned(
    free_gb: str, cause: str, reported: Reported
) -> None:
    load = BEGIN.format(1).replace("78.60", free_gb)
    text = load + SERVING + TRACE + FORWARD + OUT.format(f"{THEIRS} {OURS}", "32.90")
    assert reported(text.encode())["verdict"]["cause"] == cause


PRETRAINED = (
    '  File "/usr/lib/python3/dist-packages/transformers/models/auto/tokenization_auto.py", line 900, in from_pretrained\n'
    '  File "/usr/lib/python3/dist-packages/{}", line 30, in {}\n'
)


@pytest.mark.parametrize(
    ("file", "function", "cause"),
    [
        ("tokenizers/read.py", "load_merges", "environment_broken"),
        ("sglang/srt/multimodal/processors/b.py", "prepare", "server_defect"),
    ],
)
def test_a_library_that_cannot_read_the_model_s_files_is_no_defect_of_the_server(
    file: str, function: str, cause: str, reported: Reported
) -> None:
    report = reported((TRACE + PRETRAINED.format(file, function) + "TypeError: argument is a float\n").encode())
    assert report["verdict"]["cause"] == cause


def test_what_each_attempt_of_an_import_said_is_told_before_the_summary(reported: Reported) -> None:
    text = (
        TRACE
        + '  File "/opt/sglang/srt/layers/q.py", line 4, in <module>\n    from quick import ops\n'
        + "ImportError: \n[quick] CRITICAL: no library could be loaded!\n\nAttempts:\n"
        + "- ImportError: /opt/quick/ops.abi3.so: undefined symbol: _ZN3c105abc\n"
    )
    report = reported(text.encode())
    assert report["launches"][0]["state"] == "failed_startup"
    assert "undefined symbol" in report["verdict"]["sentence"]
    assert "undefined symbol" in report["verdict"]["evidence"][0]["text"]


def test_a_full_file_system_is_told_as_such_and_asks_for_nothing_of_the_device(reported: Reported) -> None:
    text = BEGIN.format(1) + TRACE + "RuntimeError: IO Error: No space left on device (os error 28)\n"
    verdict = reported(text.encode())["verdict"]
    assert verdict["cause"] == "environment_broken"
    assert "df -h" in verdict["actions"][0]["do"]
    assert not any("nvidia-smi" in asked for asked in verdict["missing"])


LOOP = '  File "/opt/sglang/srt/managers/scheduler.py", line 77, in event_loop_overlap\n    self.run_batch(batch)\n'
HANDLE = "RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`\n"


@pytest.mark.parametrize(("ready", "state"), [("", "failed_startup"), (READY, "ready_then_crashed")])
def test_a_forward_pass_before_the_server_is_ready_is_the_warm_up_s(ready: str, state: str, reported: Reported) -> None:
    report = reported((BEGIN.format(1) + UP + ready + TRACE + LOOP + FORWARD + HANDLE).encode())
    assert report["launches"][0]["state"] == state
    assert report["verdict"]["fraction"] == "lower"
