"""A log that nothing wraps is left as it is."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from logscope.discover import units
from logscope.source import sources
from logscope.wrappers import stack, unwrapping

RECORDS = """\
[2026-01-12 02:47:08 TP0] Load weight begin. avail mem=138.20 GB
[02:47:08 TP0] Decode batch. #running-req: 2, #token: 4078, token usage: 0.00
[2026-01-12 02:47:09] INFO:     Started server process [49]
INFO:     127.0.0.1:52514 - "POST /generate HTTP/1.1" 200 OK
[rank4]:[E421 02:05:38.764490322 ProcessGroupGloo.cpp:143] Gloo connectFullMesh failed with no error
2025-11-04 10:05:37  INFO sglang_router_rs::server: src/server.rs:830: Starting router
2025-10-07T23:31:33.123456Z DEBUG sglang_router_rs::worker: a
[Router (Rust)] 2025-03-08 02:33:09 - INFO - started
[PDLB (Python)] 2025-05-14 09:31:43,123 - INFO - started
INFO 08-05 10:11:12 file.py:211] a
WARNING 08-05 10:11:12 config.py:211] a
W0311 16:28:24.133000 95531 torch/distributed/run.py:29] a
gpu-node-1:603:603 [1] NCCL INFO Channel 13/0 : 1[1] -> 2[2] via P2P/IPC
usage: launch_server.py [-h] --model-path MODEL_PATH
  -h, --help            show this help message and exit
Traceback (most recent call last):
  File "/srv/scheduler.py", line 12, in run
    self.run()
[transformers] Token indices sequence length is longer than the maximum
[  913.498120] Node 0 Normal: free:61488kB unevictable:64413100kB
 - leaked type "triton._C.libtriton.ir.builder"
{"timestamp": "2026-01-12T02:47:08.123456", "event": "request.received", "rid": "a", "obj": {"text": "b"}}
{"timestamp":"2025-12-04T10:05:37.123Z","level":"INFO","message":"a","target":"sgl_model_gateway::core"}
{"object":"error","message":"The input (4169 tokens) is longer than the context length","type":"BadRequestError"}
(raylet) node_manager.cc:3193: 1 Workers (tasks / actors) killed due to memory pressure (OOM)
(EngineCore pid=7) INFO 03-05 10:11:12 [core.py:58] Initializing engine
[rank1]:W0311 16:28:24.133000 95531 torch/_inductor/utils.py:1137] [0/0] Not enough SMs
[01-28 04:18:10] Loading vae
2026-06-01 10:00:00,123 [Daemon gpu=0 tp_rank=0] INFO ready
[2026-01-14 05:25:33] INFO server_args.py:1565: Attention backend not specified. Use fa3 backend by default.
WARNING:sglang.srt.server_args:Attention backend not specified.
2025-01-31 09:47:55 TP0] Decode batch. #running-req: 2, #token: 3698
Loading safetensors checkpoint shards:  50% Completed | 2/4 [00:02<00:02,  1.10s/it]
127.0.0.1:57442 - "POST /v1/chat/completions HTTP/1.1" 200 OK
""".splitlines()


def test_records_of_a_bare_log_are_no_wrappers() -> None:
    assert stack(RECORDS) == []


@pytest.mark.parametrize("line", RECORDS)
def test_a_record_alone_is_no_wrapper(line: str) -> None:
    assert stack([line]) == []
    assert stack([line] * 5) == []


@pytest.mark.parametrize("collection", ["logscope.events", "logscope.noise"])
def test_no_sample_of_a_family_or_of_noise_is_a_wrapper(collection: str) -> None:
    for name, module in units(collection).items():
        lines = [line[4:] for line in inspect.cleandoc(module.__doc__ or "").split("\n") if line.startswith("    ")]
        assert lines, name
        for line in lines:
            assert stack([line]) == [], (name, line)


def test_fixture_logs_pass_byte_for_byte(logs: Path) -> None:
    for path in sorted(logs.glob("*.log")):
        blocks = unwrapping(sources([path])[0])
        assert b"".join(block.data for block in blocks) == path.read_bytes(), path.name
        assert blocks.stack == (), path.name


def test_real_logs_are_bare(shared: Path) -> None:
    for path in sorted((shared / "reallogs").glob("*.log")):
        blocks = unwrapping(sources([path])[0])
        assert b"".join(block.data for block in blocks) == path.read_bytes(), path.name
        assert blocks.stack == (), path.name
