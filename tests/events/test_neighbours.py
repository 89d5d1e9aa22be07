"""Lines of programs beside SGLang give their numbers, wherever they stand."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logscope.discover import units
from logscope.parse import Reader
from logscope.source import Block


def read(*lines: str) -> Reader:
    reader = Reader()
    reader.feed(Block("a.log", 1, "\n".join([*lines, ""]).encode()))
    reader.finish()
    return reader


def rows(family: str, *lines: str) -> list[dict[str, Any]]:
    return [dict(row.values.values) for row in read(*lines).rows.get(family, [])]


SIZES = st.tuples(st.integers(0, 999_999).map(lambda n: n / 100), st.sampled_from(["MiB", "GiB", "KiB"])).map(
    lambda pair: (f"{pair[0]:.2f}", pair[1])
)


@given(
    st.tuples(*[SIZES] * 6), st.integers(0, 15), st.booleans(), st.booleans(), st.sampled_from(["CUDA", "HIP", "XPU"])
)
def test_every_number_of_torchs_sentence_comes_back_with_its_unit(
    sizes: tuple[tuple[str, str], ...], device: int, with_process: bool, with_pools: bool, backend: str
) -> None:
    requested, total, free, process, allocated, reserved = [" ".join(size) for size in sizes]
    text = (
        f"torch.OutOfMemoryError: {backend} out of memory. Tried to allocate {requested}. GPU {device} has a total capacity"
        f" of {total} of which {free} is free. "
        + (f"Including non-PyTorch memory, this process has {process} memory in use. " if with_process else "")
        + f"Of the allocated memory {allocated} is allocated by PyTorch, "
        + (f"with {free} allocated in private pools (e.g., CUDA Graphs), " if with_pools else "")
        + f"and {reserved} is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try more."
    )
    (row,) = rows("allocator_failure", text)
    names = ["requested", "total", "free", *(["process"] if with_process else []), "allocated", "reserved"]
    used = [
        s
        for s, name in zip(sizes, ["requested", "total", "free", "process", "allocated", "reserved"], strict=True)
        if name in names
    ]
    assert [(f"{row[name]:.2f}", row[f"{name}_unit"]) for name in names] == used
    assert row["backend"] == backend
    assert row["device"] == device
    assert ("private_pools" in row) is with_pools


def test_a_sentence_inside_a_traceback_belongs_to_the_rank_that_failed() -> None:
    reader = read(
        "[2026-01-06 02:16:20 TP3] Scheduler hit an exception: Traceback (most recent call last):",
        '  File "/srv/scheduler.py", line 9, in run',
        "    run()",
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 3 has a total capacity of 79.10 GiB of which 1.00 GiB is free.",
    )
    (row,) = reader.rows["allocator_failure"]
    assert (row.line, row.rank, row.values.values["device"]) == (4, "TP3", 3)
    assert reader.rows["failure"]


@pytest.mark.parametrize(
    "line",
    [
        "[2026-01-06 02:16:20 TP0] Prefill out of memory. Try to lower your batch size.",
        "[2026-01-06 02:16:20 TP0] Decode out of memory happened. #retracted_reqs: 1, #new_token_ratio: 0.1 -> 0.2",
        "RuntimeError: could not create a primitive descriptor for a matmul primitive",
        "FileNotFoundError: [Errno 2] No such file or directory: '/models/a'",
    ],
)
def test_a_full_pool_or_another_refusal_is_no_allocator_sentence(line: str) -> None:
    assert not rows("allocator_failure", line)


def test_an_out_of_memory_error_is_no_device_fault_and_a_fault_no_lack_of_memory() -> None:
    memory, fault = "RuntimeError: CUDA error: out of memory", "RuntimeError: CUDA error: unspecified launch failure"
    assert rows("allocator_failure", memory)
    assert not rows("device_fault", memory)
    assert rows("device_fault", fault)
    assert not rows("allocator_failure", fault)


def test_a_metal_command_buffer_that_times_out_is_a_fault_and_one_without_memory_is_not() -> None:
    prefix = "libc++abi: terminating due to uncaught exception of type std::runtime_error: [METAL] Command buffer execution failed: "
    memory = prefix + "Insufficient Memory (00000008:kIOGPUCommandBufferCallbackErrorOutOfMemory)"
    timeout = prefix + "Caused GPU Timeout Error (00000002:kIOGPUCommandBufferCallbackErrorTimeout)"
    assert rows("allocator_failure", memory)[0]["backend"] == "Metal"
    assert not rows("device_fault", memory)
    assert rows("device_fault", timeout)[0]["fault"] == "Caused GPU Timeout Error"
    assert not rows("allocator_failure", timeout)
    for line in (memory, timeout):
        assert rows("fatal_signal", line)[0]["exception"] == "std::runtime_error"


@given(
    st.integers(0, 10**6),
    st.integers(1, 10**9),
    st.integers(1, 10**7),
    st.integers(0, 127),
    st.sampled_from(["", "[rank{r}]:"]),
)
def test_a_collective_timeout_reads_the_same_with_and_without_the_launchers_rank(
    sequence: int, elements: int, timeout: int, rank: int, prefix: str
) -> None:
    line = (
        prefix.replace("{r}", str(rank))
        + f"[E1126 06:24:44.903881913 ProcessGroupNCCL.cpp:616] [Rank {rank}] Watchdog caught collective operation timeout:"
        f" WorkNCCL(SeqNum={sequence}, OpType=ALLREDUCE, NumelIn={elements}, NumelOut={elements}, Timeout(ms)={timeout})"
        f" ran for {timeout + 20} milliseconds before timing out."
    )
    (row,) = rows("collective_failure", line)
    assert row["kind"] == "collective_timeout"
    assert (row["sequence"], row["input_elements"], row["timeout_ms"], row["ran_ms"]) == (
        sequence,
        elements,
        timeout,
        timeout + 20,
    )
    assert row["group_rank"] == rank
    assert row.get("torch_rank") == (rank if prefix else None)


def test_leaving_without_destroying_the_group_is_no_failure_of_a_collective() -> None:
    line = (
        "[rank0]:[W119 03:52:27.073114819 ProcessGroupNCCL.cpp:1524] Warning: WARNING: destroy_process_group() was not"
        " called before program exit, which can leak resources."
    )
    assert not rows("collective_failure", line)
    assert rows("torch_log", line)


@given(st.integers(1, 4_000_000), st.integers(0, 10**9), st.integers(0, 10**9))
def test_the_kernels_line_of_a_kill_gives_process_and_sizes(pid: int, anonymous: int, shared: int) -> None:
    line = (
        f"[  913.512288] Out of memory: Killed process {pid} (sglang::schedul) total-vm:1kB, anon-rss:{anonymous}kB,"
        f" file-rss:0kB, shmem-rss:{shared}kB, UID:0 pgtables:1kB oom_score_adj:0"
    )
    (row,) = rows("kernel_oom", line)
    assert (row["process_id"], row["anonymous_kib"], row["shared_kib"]) == (pid, anonymous, shared)
    assert not rows("kernel_log", line)


@given(
    st.sampled_from(["127.0.0.1", "10.1.2.3", "::1", "node-1"]),
    st.integers(1, 65535),
    st.sampled_from(["GET", "POST", "DELETE"]),
    st.from_regex(r"/[A-Za-z0-9_/.?=&%-]{0,30}", fullmatch=True),
    st.sampled_from([(200, "OK"), (400, "Bad Request"), (503, "Service Unavailable"), (499, "")]),
    st.sampled_from(["[2026-01-12 02:47:10] INFO:     ", "INFO:     ", ""]),
)
def test_an_access_line_is_read_in_every_frame(
    host: str, port: int, method: str, path: str, answer: tuple[int, str], frame: str
) -> None:
    status, phrase = answer
    (row,) = rows("http_access", f'{frame}{host}:{port} - "{method} {path} HTTP/1.1" {status} {phrase}'.rstrip())
    assert (row["client"], row["method"], row["target"], row["status"]) == (f"{host}:{port}", method, path, status)


def test_a_line_of_a_shell_names_the_signal_and_masks_nothing_it_needs() -> None:
    (row,) = rows("shell", "./run.sh: line 22: 341111 Killed                  python -m sglang.launch_server --tp 2")
    assert (row["signal"], row["process_id"], row["script_line"]) == ("Killed", 341111, 22)


@pytest.mark.parametrize(
    "line",
    [
        "Killed by the user's own wish",
        "Terminated early",
        "Aborted request 12",
        "Quit using the tool",
        "[2026-01-12 02:47:10] Aborted 3 requests",
    ],
)
def test_a_sentence_that_begins_like_a_signal_is_none(line: str) -> None:
    assert not rows("shell", line)


def test_a_thread_of_a_stack_dump_holds_its_frames_innermost_first() -> None:
    (process, thread) = rows(
        "stack_dump",
        "Process 189: sglang::scheduler",
        'Thread 189 (idle): "MainThread"',
        "    replay (cuda_graph_runner.py:82)",
        "    forward (model_runner.py:2149)",
    )
    assert (process["process_id"], process["name"]) == (189, "sglang::scheduler")
    assert thread["state"] == "idle"
    assert thread["text"].splitlines()[1:] == [
        "    replay (cuda_graph_runner.py:82)",
        "    forward (model_runner.py:2149)",
    ]


def test_the_usage_text_of_a_refused_command_is_one_record() -> None:
    reader = read(
        "usage: launch_server.py [-h] --model-path MODEL_PATH",
        "                        [--tokenizer-path TOKENIZER_PATH]",
        "launch_server.py: error: unrecognized arguments: --no-such-flag",
    )
    assert dict(reader.coverage.counts) == {"recognised": 2, "continuation": 1}
    assert [row.values.values["problem"] for row in reader.rows["argparse_error"]] == [
        "usage",
        "unrecognized arguments",
    ]


def test_a_router_line_names_the_worker_it_speaks_of() -> None:
    (row,) = rows(
        "router",
        "2025-10-07 23:31:33 ERROR sglang_router_rs::core::worker: src/core/worker.rs:517: Failed to connect gRPC client"
        " for worker grpc://localhost:20000: transport error",
    )
    assert (row["level"], row["worker"], row["event"]) == ("ERROR", "grpc://localhost:20000", "Failed")


@given(st.text(alphabet=st.characters(blacklist_categories=["Cs"], blacklist_characters="\n\r"), max_size=200))
def test_no_text_whatever_breaks_a_family(text: str) -> None:
    counts = read(text).coverage.counts
    assert sum(counts.values()) == 1


@pytest.mark.parametrize(
    "lines",
    [
        [
            "[2026-01-12 02:47:08] Receive: obj=GenerateReqInput(rid='a', text='why CUDA out of memory. Tried to allocate 20.00 MiB?')"
        ],
        [
            "Finish: obj=GenerateReqInput(rid='a'), out={'text': 'RuntimeError: CUDA error: device-side assert triggered'}"
        ],
        [
            '{"timestamp": "2026-01-12T02:47:08.123456", "event": "request.received", "rid": "1", "obj": {"text": "CUDA error: x"}}'
        ],
        [
            "[04:40:51] in=GenerateReqInput(text='hello",
            "Killed",
            "CUDA error: an illegal memory access', rid=1), out={'text': 'x'}",
        ],
    ],
)
def test_what_a_user_wrote_is_no_evidence(lines: list[str]) -> None:
    assert set(read(*lines).rows) == {"request_log"}


def test_a_kill_after_the_answer_of_a_raw_request_log_is_read_again() -> None:
    reader = read("[04:40:51] in=hello", "Killed", "bye, out={'text': 'x'}", "Killed")
    assert [row.line for row in reader.rows["shell"]] == [4]


NEIGHBOURS = [
    "allocator_failure",
    "collective_failure",
    "device_fault",
    "fatal_signal",
    "http_access",
    "kernel_oom",
    "nvidia_smi",
    "progress_bar",
    "python_warning",
    "router",
    "shell",
    "stack_dump",
    "transfer_engine",
    "uvicorn",
]


@pytest.mark.parametrize("name", NEIGHBOURS)
def test_a_line_that_goes_on_for_ever_costs_no_more_than_its_length(name: str) -> None:
    doc = (units("logscope.events")[name].__doc__ or "").split("Meaning")[0]
    for sample in [line.strip() for line in doc.splitlines() if line.startswith("    ") and "#@" not in line]:
        half = sample[: len(sample) // 2]
        for text in (half + " " * 20_000 + "x", half + "1" * 20_000, half * (20_000 // max(len(half), 1))):
            start = time.process_time()
            read(text)
            assert time.process_time() - start < 2, (name, half)
