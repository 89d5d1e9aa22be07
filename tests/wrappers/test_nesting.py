"""What is wrapped comes out as it went in: by each wrapper, by each pair, whatever the size of a block."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logscope.discover import units
from logscope.source import Source, sources
from logscope.wrappers import unwrapping

Wrap = Callable[[Sequence[str]], list[str]]

LINES = """\
[2026-01-12 02:46:58] server_args=ServerArgs(model_path='/models/tiny', tp_size=2, mem_fraction_static=0.8, rest='{}')
[2026-01-12 02:47:01 TP1] Init torch distributed begin.
[2026-01-12 02:47:08 TP0] Load weight begin. avail mem=138.20 GB
Loading safetensors checkpoint shards:  50% Completed | 2/4 [00:02<00:02,  1.10s/it]
Loading safetensors checkpoint shards: 100% Completed | 4/4 [00:04<00:00,  1.09s/it]

[2026-01-12 02:47:12 TP0] Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=121.20 GB
[2026-01-12 02:47:13] INFO:     Uvicorn running on http://127.0.0.1:30000 (Press CTRL+C to quit)
[2026-01-12 02:47:14 TP0] Prefill batch, #new-seq: 1, #new-token: 7, #cached-token: 0, token usage: 0.00, #queue-req: 0
[2026-01-12 02:47:15] INFO:     127.0.0.1:40262 - "GET /get_model_info HTTP/1.1" 200 OK
[2026-01-12 02:47:16 TP0] Decode batch, #running-req: 1, #token: 40, token usage: 0.00, gen throughput (token/s): 52.10
[2026-01-12 02:47:17 TP1] Scheduler hit an exception: Traceback (most recent call last):
  File "/srv/sglang/srt/managers/scheduler.py", line 2769, in run_scheduler_process
    scheduler.event_loop_normal()
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.50 GiB. Größe, 内存
[2026-01-12 02:47:17] Received sigquit from a child process. It usually means the child failed.
Killed
""".format("x" * 120).splitlines()


def _each(form: str) -> Wrap:
    """Puts a text around every line; `{i}` is its number, `{s}` two digits of a second."""
    return lambda lines: [form.format(i=i + 1, s=f"{i % 60:02}") + line for i, line in enumerate(lines)]


def _json(entry: Callable[[str, int], object]) -> Wrap:
    return lambda lines: [json.dumps(entry(line, i)) for i, line in enumerate(lines)]


def _pieces(line: str, size: int) -> list[str]:
    return [line[at : at + size] for at in range(0, len(line), size)] or [""]


def _cri(lines: Sequence[str]) -> list[str]:
    return [
        f"2026-01-12T02:47:08.8651668Z stderr {'F' if last else 'P'} {piece}"
        for line in lines
        for pieces in [_pieces(line, 70)]
        for piece, last in zip(pieces, [False] * (len(pieces) - 1) + [True], strict=True)
    ]


def _docker(lines: Sequence[str]) -> list[str]:
    entries = [piece for line in lines for piece in _pieces(line + "\n", 120)]
    return [json.dumps({"log": e, "stream": "stderr", "time": "2026-01-12T02:47:08.86Z"}) for e in entries]


def _document(lines: Sequence[str]) -> list[str]:
    entries = [{"insertId": f"{i}", "textPayload": line, "resource": {"labels": {}}} for i, line in enumerate(lines)]
    return json.dumps(entries, indent=2).split("\n")


def _tailed(lines: Sequence[str]) -> list[str]:
    return ["==> node0.log <==", *lines]


def _numbered(lines: Sequence[str]) -> list[str]:
    return [f"{i + 97:>5} {line}" for i, line in enumerate(lines)]


def _logger(lines: Sequence[str]) -> list[str]:
    return [f"2026-01-12 02:47:08,123 - launcher - INFO - {line}" for line in lines]


def _csv(lines: Sequence[str]) -> list[str]:
    rows = ["""2026-01-12T02:47:08.000Z,sglang-0,"{}\"""".format(line.replace('"', '""')) for line in lines]
    return ["time,pod,message", *rows]


def _fields(lines: Sequence[str]) -> list[str]:
    return [part for line in lines for part in ("_HOSTNAME=gpu-01", "_COMM=python3", f"MESSAGE={line}", "")]


def _narrow(lines: Sequence[str]) -> list[str]:
    return [piece for line in lines for piece in _pieces(line, 100)]


WRAPS: dict[str, Wrap] = {
    "ansi": lambda lines: [f"\x1b[32m{line[:9]}\x1b[0m{line[9:]}" for line in lines],
    "cloudwatch": _each("17681860281{s}\t2026-01-12T02:47:{s}.797Z\t"),
    "compose": _each("sglang-1  | "),
    "container_time": _each("2026-01-12T02:47:{s}.810057661Z "),
    "cri": _cri,
    "crlf": lambda lines: [line + "\r" for line in lines],
    "csv_table": _csv,
    "docker_json": _docker,
    "email_quote": _each("> "),
    "github_actions": _each("2026-01-12T02:47:{s}.8100576Z "),
    "hard_wrap": _narrow,
    "json_document": _document,
    "journal_fields": _fields,
    "journald": _each("Jan 12 02:47:{s} gpu-node-1 sglang[4242]: "),
    "json_lines": _json(
        lambda line, i: {"date": 1768186028.1 + i, "log": line, "kubernetes": {"pod_name": "sglang-0"}}
    ),
    "kibana": _each("Jan 12, 2026 @ 02:47:{s}.225    "),
    "kubectl_prefix": _each("[pod/sglang-0-1/worker] "),
    "learned_prefix": _each("gpu-01: "),
    "line_numbers": _numbered,
    "notebook": lambda lines: ["    " + line if line else "" for line in lines],
    "outer_time": _each("[2026-01-12T02:47:{s}.703Z] "),
    "ray": _each("(SGLangEngine pid=41820, ip=10.0.0.12) "),
    "srun": _each("3: "),
    "stern": _each("sglang-0 server › "),
    "supervising_logger": _logger,
    "syslog": _each("<14>1 2026-01-12T02:47:{s}.123Z gpu-node-1 sglang 4242 - - "),
    "tail_headers": _tailed,
    "torchrun": _each("[rank3]: "),
}


def unwrapped(path: Path, lines: Sequence[str], size: int = 1 << 20) -> tuple[list[str], list[str]]:
    """The lines that come out of a file with these lines, and the names of the wrappers that were found."""
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    blocks = unwrapping(Source(str(path), lambda: path.open("rb", buffering=0)), size)
    text = b"".join(block.data for block in blocks).decode()
    lines = text.split("\n")[:-1]
    while not lines[0]:  # a header is an empty line
        lines.pop(0)
    return lines, [name for name, _ in blocks.stack]


def names(*wraps: str) -> list[str]:
    """The wrappers that shall be found: a document becomes JSON lines first."""
    return [name for wrap in wraps for name in ([wrap, "json_lines"] if wrap == "json_document" else [wrap])]


def test_every_wrapper_is_wrapped_here() -> None:
    assert set(WRAPS) == set(units("logscope.wrappers"))


@pytest.mark.parametrize("name", WRAPS)
def test_a_wrapped_log_comes_out_as_it_went_in(name: str, tmp_path: Path) -> None:
    lines, found = unwrapped(tmp_path / "a.log", WRAPS[name](LINES))
    assert found == names(name)
    assert lines == LINES


PAIRS = [
    pair
    for pair in itertools.permutations(WRAPS, 2)
    # What a terminal cut cannot be told inside another wrapper, and what is copied from one has no colours.
    if pair[1] != "hard_wrap"
    # Kibana prints columns itself.
    and pair not in (("hard_wrap", "ansi"), ("hard_wrap", "csv_table"), ("kibana", "csv_table"))
    # Members of a document, fields and cells prove no prefix before them.
    and not (pair[0] == "learned_prefix" and pair[1] in ("json_document", "journal_fields", "csv_table"))
]
# An indent may be the gap behind a number, the padding before one, or the indent of an element of a JSON array.
MERGED = {
    ("line_numbers", "notebook"),
    ("notebook", "line_numbers"),
    ("notebook", "docker_json"),
    ("notebook", "json_lines"),
    ("notebook", "json_document"),
    ("notebook", "srun"),
    ("notebook", "journal_fields"),
    ("learned_prefix", "notebook"),
    ("tail_headers", "journal_fields"),
}


@pytest.mark.parametrize(("outer", "inner"), PAIRS)
def test_a_pair_of_wrappers_comes_off_in_any_order(outer: str, inner: str, tmp_path: Path) -> None:
    lines, found = unwrapped(tmp_path / "a.log", WRAPS[outer](WRAPS[inner](LINES)))
    assert lines == LINES
    # What stands anywhere in a line comes off first, unless JSON hides it.
    anywhere = inner in ("ansi", "crlf") and found == names(inner, outer)
    assert found == names(outer, inner) or anywhere or ((outer, inner) in MERGED and found)


@given(
    wraps=st.lists(st.sampled_from(sorted(set(WRAPS) - {"hard_wrap"})), min_size=1, max_size=3, unique=True),
    size=st.integers(1, 4000),
)
def test_any_size_of_a_block_gives_the_same_lines(
    tmp_path_factory: pytest.TempPathFactory, wraps: list[str], size: int
) -> None:
    wrapped: Sequence[str] = LINES
    for name in wraps:
        wrapped = WRAPS[name](wrapped)
    path = tmp_path_factory.mktemp("sizes") / "a.log"
    assert unwrapped(path, wrapped, size) == unwrapped(path, wrapped)


@given(size=st.integers(1, 900))
def test_any_size_of_a_block_joins_what_a_terminal_cut(tmp_path_factory: pytest.TempPathFactory, size: int) -> None:
    path = tmp_path_factory.mktemp("sizes") / "a.log"
    assert unwrapped(path, WRAPS["hard_wrap"](LINES), size) == (LINES, ["hard_wrap"])


@pytest.mark.parametrize("name", sorted(set(WRAPS) - {"docker_json", "json_lines", "json_document", "hard_wrap"}))
def test_bytes_that_are_not_utf8_pass(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    text = "\n".join(WRAPS[name](LINES)) + "\n"
    path.write_bytes(text.encode().replace("内存".encode(), b"\xff\xfe\xc3"))
    blocks = unwrapping(sources([path])[0])
    data = b"".join(block.data for block in blocks)
    assert b"1.50 GiB. Gr\xc3\xb6\xc3\x9fe, \xff\xfe\xc3\n" in data


def test_lines_that_no_wrapper_fits_stand_unchanged_between_the_others(tmp_path: Path) -> None:
    ray = WRAPS["ray"](LINES)
    mixed = [line for pair in zip(ray, (f"driver step {i}" for i in range(99)), strict=False) for line in pair]
    lines, found = unwrapped(tmp_path / "a.log", mixed)
    assert found == ["ray"]
    assert lines[::2] == LINES
    assert lines[1::2] == mixed[1::2]
