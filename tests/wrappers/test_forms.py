"""The forms of one tool: its options, its versions and its neighbours print the same decoration in other ways."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from logscope.source import sources
from logscope.wrappers import unwrapping

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "logs"

LINES = """\
/srv/sglang/launch_server.py:71: UserWarning: a start of its own is still supported
  warnings.warn(
[2026-01-12 02:46:58] server_args=ServerArgs(model_path='/models/tiny', tp_size=2, mem_fraction_static=0.8)
[2026-01-12 02:47:08 TP0] Load weight begin. avail mem=138.20 GB
[2026-01-12 02:47:12 TP0] Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=121.20 GB
[2026-01-12 02:47:15] INFO:     127.0.0.1:40262 - "GET /get_model_info HTTP/1.1" 200 OK

[2026-01-12 02:47:17 TP1] Scheduler hit an exception: Traceback (most recent call last):
  File "/srv/sglang/srt/managers/scheduler.py", line 2769, in run_scheduler_process
    scheduler.event_loop_normal()
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.50 GiB.
[2026-01-12 02:47:17] Received sigquit from a child process. It usually means the child failed.
""".splitlines()

PREFIXES = {
    "journalctl -o short-iso": ("2026-01-12T02:47:08+0000 gpu-01 sglang[4242]: ", ["journald"]),
    "journalctl -o short-iso-precise, rsyslog": ("2026-01-12T02:47:08.123456+00:00 gpu-01 bash[7]: ", ["journald"]),
    "journalctl -o short-unix": ("1768186028.123456 gpu-01 sglang[4242]: ", ["journald"]),
    "journalctl -o short-monotonic": ("[ 3600.137000] gpu-01 sglang[4242]: ", ["learned_prefix"]),
    "syslog driver of docker": ("Jan 12 02:47:08 gpu-01 7be1f8c5d1a3[812]: ", ["journald"]),
    "torchrun": ("[default0]:", ["torchrun"]),
    "mpirun of Open MPI 4": ("[1,0]<stderr>:", ["torchrun"]),
    "mpirun --timestamp-output": (
        "Mon Jan 12 02:47:08 2026[1,0]<stderr>:",
        ["learned_prefix", "outer_time", "learned_prefix"],
    ),
    "mpiexec -l": ("[0] ", ["learned_prefix"]),
    "loguru": ("2026-01-12 02:47:08.123 | INFO     | launcher:stream:41 - ", ["supervising_logger"]),
    "logging.basicConfig": ("INFO:launcher:", ["supervising_logger"]),
    "a logger with its file": ("2026-01-12 02:47:08,123 INFO [serve.py:33] ", ["learned_prefix"]),
    "a logger in brackets": ("[2026-01-12 02:47:08,123] [INFO] [launcher] ", ["learned_prefix"]),
    "klog": ("I0112 02:47:08.123456    4321 launcher.go:88] ", ["learned_prefix"]),
    "logcli": ('2026-01-12T02:47:08Z {pod="sglang-0"} ', ["container_time", "learned_prefix"]),
    "GitLab": ("2026-01-12T02:47:08.123456Z 01O ", ["container_time", "learned_prefix"]),
    "ts -s": ("02:47:08.123456 ", ["learned_prefix"]),
    "grep -H": ("logs/server.log:", ["learned_prefix"]),
    "pdsh": ("gpu-01: ", ["learned_prefix"]),
    "grep -H of a container's log": ("a.log:2026-01-12T02:47:08.865Z stderr F ", ["learned_prefix", "cri"]),
}


def unwrapped(path: Path, text: str) -> tuple[list[str], list[str]]:
    path.write_text(text, encoding="utf-8")
    blocks = unwrapping(sources([path])[0])
    lines = b"".join(block.data for block in blocks).decode().split("\n")
    return lines[:-1], [name for name, _ in blocks.stack]


@pytest.mark.parametrize("form", PREFIXES)
def test_a_prefix_comes_off_every_line(form: str, tmp_path: Path) -> None:
    prefix, names = PREFIXES[form]
    found = unwrapped(tmp_path / "a.log", "".join(f"{prefix}{line}\n" for line in LINES))
    assert found == (LINES, names)


def _journal(line: str, number: int) -> dict[str, object]:
    return {
        "__CURSOR": f"s=a;i={number:x}",
        "__REALTIME_TIMESTAMP": str(1768186028123456 + number),
        "_CMDLINE": "python3 -m sglang.launch_server --model-path /models/tiny",
        "_HOSTNAME": "gpu-01",
        "MESSAGE": line,
    }


def _pretty(entry: dict[str, object]) -> str:
    return "{\n" + ",\n".join(f"\t{json.dumps(key)} : {json.dumps(value)}" for key, value in entry.items()) + "\n}"


OBJECTS: dict[str, tuple[Callable[[dict[str, object]], str], list[str]]] = {
    "journalctl -o json": (json.dumps, ["json_lines"]),
    "journalctl -o json-pretty": (_pretty, ["json_document", "json_lines"]),
    "an event stream": (lambda entry: f"data: {json.dumps(entry)}", ["learned_prefix", "json_lines"]),
    "fluentd": (
        lambda e: f"2026-01-12T02:47:08+00:00\tkube.sglang\t{json.dumps(e)}",
        ["outer_time", "learned_prefix", "json_lines"],
    ),
}


@pytest.mark.parametrize("form", OBJECTS)
def test_the_message_of_an_object_comes_out_however_it_is_written(form: str, tmp_path: Path) -> None:
    written, names = OBJECTS[form]
    text = "".join(f"{written(_journal(line, number))}\n" for number, line in enumerate(LINES))
    assert unwrapped(tmp_path / "a.log", text) == (LINES, names)


def test_an_entry_longer_than_a_piece_of_docker_is_whole(tmp_path: Path) -> None:
    lines = ["[2026-01-12 02:46:58] server_args=ServerArgs(" + "x" * 20_000, *LINES]
    entries = (json.dumps({"log": line, "stream": "stderr", "time": "2026-01-12T02:47:08Z"}) for line in lines)
    assert unwrapped(tmp_path / "a.log", "\n".join(entries) + "\n") == (lines, ["docker_json"])


def _cut(lines: list[str], width: int) -> list[str]:
    return [line[at : at + width] for line in lines for at in range(0, len(line), width)]


def test_two_unlike_records_that_a_terminal_cut_are_joined(tmp_path: Path) -> None:
    lines = [LINES[4], LINES[5]]
    assert unwrapped(tmp_path / "a.log", "\n".join(_cut(lines, 60)) + "\n") == (lines, ["hard_wrap"])


def test_one_message_that_comes_twice_before_other_text_is_not_joined_to_it(tmp_path: Path) -> None:
    lines = ["[2026-01-12 02:47:01 TP0] Scheduler says something of a certain width.", "and goes on"] * 2
    assert unwrapped(tmp_path / "a.log", "\n".join(lines) + "\n") == (lines, [])


REAL = [
    line.rstrip()
    for line in (FIXTURES / "0.5.9-b-pool-full-retract.log").read_text(encoding="utf-8").splitlines()
    if line.strip() and "\r" not in line and "Completed" not in line
]


@pytest.mark.parametrize("width", [80, 100, 120, 132])
def test_what_a_terminal_cut_is_joined_also_where_the_copy_lost_blanks_at_the_end(width: int, tmp_path: Path) -> None:
    text = "\n".join(line.rstrip() for line in _cut(REAL, width))
    assert unwrapped(tmp_path / "a.log", text + "\n") == (REAL, ["hard_wrap"])


@pytest.mark.parametrize("width", [60, 72, 76, 100])
def test_what_a_mail_program_wrapped_between_words_is_joined(width: int, tmp_path: Path) -> None:
    records = [line for line in REAL if line.startswith("[") and "  " not in line and max(map(len, line.split())) < 50]
    wrapped = [
        part for line in records for part in textwrap.wrap(line, width, break_on_hyphens=False, break_long_words=False)
    ]
    quoted = "".join(f"> {line}\n" for line in wrapped)
    assert unwrapped(tmp_path / "a.log", quoted) == (records, ["email_quote", "hard_wrap"])
