"""The life-cycle phases of each rank: what it was doing at a line.

Phases in order: arguments, init, load, pool, workspace, capture, warm_up, serving, shutdown. A rank is in the phase
that its last milestone began; a draft worker goes through load and pool again after its target.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from logscope.errors import FactMissing
from logscope.facts.sequence import before, by_line
from logscope.launch import Launch, Row
from logscope.quantity import LineRef

# Family and kind of a milestone → the phase that begins with it.
_BEGINS: dict[tuple[str, str], str] = {
    ("server_args", ""): "arguments",
    ("distributed_init", "begin"): "init",
    ("load_weight", "begin"): "load",
    ("load_weight", "end"): "pool",
    ("memory_pool_end", ""): "workspace",
    ("graph_capture", "begin"): "capture",
    ("capacity", ""): "warm_up",
    ("ready", ""): "serving",
    ("shutdown", "term"): "shutdown",
    ("shutdown", "drain"): "shutdown",
}
# Words of a record or of its frames that name the phase better than the last milestone does: the first that fits.
_WORDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("serving", (", in replay\n", "_runner.replay(")),
    (
        "capture",
        (
            "graph failed",
            "cuda_graph_runner",
            "init_cuda_graphs",
            "init_device_graphs",
            "graph_runner.py",
            "capture_one_batch",
        ),
    ),
    ("resume", ("func=resume", "resume_memory_occupation", "torch_memory_saver")),
    ("load", ("load_weights", "load_model", "initialize_model", "Error while loading", "model_loader", "weight_utils")),
    ("pool", ("init_memory_pool", "ReqToTokenPool", "KVPool", "_create_buffers", "kv_cache_configurator")),
    ("workspace", ("init_attention_backend", "workspace_buffer")),
    (
        "serving",
        (
            "event_loop",
            "run_batch",
            "forward_extend",
            "forward_decode",
            "forward_batch",
            "_async_extend_batch",
            "forward_step",
        ),
    ),
)
# What frames name in an excerpt that tells nothing else: a constructor of a server's process, the check of its
# arguments, the model's configuration and tokenizer, a forward pass, a module that is imported.
_EXCERPT = (
    ("arguments", re.compile(r'srt/server_args\.py", line \d+|in prepare_server_args|in from_cli_args')),
    (
        "init",
        re.compile(
            r"\b(?:Scheduler|TpModelWorker|ModelRunner|ModelTpServer)\($|in init_torch_distributed"
            r'|srt/(?:utils/)?hf_transformers\w*(?:/\w+)?\.py", line \d+, in get_'
            r"|in _?launch_(?:subprocesses|engine)\b",
            re.M,
        ),
    ),
    (
        "serving",
        re.compile(
            r'File "[^"]*(?:srt/(?:layers|models|sampling)/|multimodal_gen/runtime/(?:pipelines|models))[^"]*", '
            r"line \d+, in (?!__init__|<module>|load|post_load|process_weights|create_weights)"
        ),
    ),
    ("init", re.compile(r'sglang/srt/[^"]*", line \d+, in <module>')),
)
# A frame of a module that is being imported, with its source: the file's name tells nothing of what the rank did.
_IMPORTED = re.compile(r'^ *File "[^"\n]*", line \d+, in <module>\n(?: {3,}.*(?:\n|$))*', re.MULTILINE)
_KEPT = "milestones"  # every failure asks for them
ORDER = ("arguments", "init", "load", "pool", "workspace", "capture", "warm_up", "serving", "shutdown")


@dataclass(frozen=True, slots=True)
class Milestone:
    """The line at which a rank enters a phase; `time` is absent in logs without clocks."""

    phase: str
    rank: str
    ref: LineRef
    time: float | None


def milestones(launch: Launch) -> list[Milestone]:
    """All milestones of a launch in the order of the log."""
    return list(launch.kept(_KEPT, lambda: _ordered(launch)))


def _ordered(launch: Launch) -> list[Milestone]:
    found = list(_milestones(launch))
    ready = any(m.phase == "serving" for m in found)
    return by_line(launch, found if ready else [*found, *_first_batches(launch)], lambda m: (m.ref, m.time))


def _milestones(launch: Launch) -> Iterator[Milestone]:
    for family in {name for name, _ in _BEGINS}:
        for row in launch.rows(family):
            kind = str(row.get("kind", ""))
            phase = _BEGINS.get((family, kind)) or _BEGINS.get((family, ""))
            if phase is None and family == "graph_capture" and kind == "end":
                phase = "capture"
            if phase:
                yield Milestone(phase, row.rank, row.ref, time_of(row))


def _first_batches(launch: Launch) -> Iterator[Milestone]:
    """Batches of an excerpt that begins while the server is serving."""
    if launch.has("ready", "capacity", "server_args", "load_weight"):
        return
    for name in ("prefill_batch", "decode_batch"):
        table = launch.table(name)
        if table.num_rows:
            first = Row(name, table.slice(0, 1).to_pylist()[0])
            yield Milestone("serving", first.rank, first.ref, time_of(first))


def time_of(row: Row) -> float | None:
    """Seconds since 1970-01-01 of a row, or None where no clock is printed."""
    try:
        return row.time
    except FactMissing:
        return None


def phase_at(launch: Launch, rank: str, at: tuple[LineRef, float | None]) -> str:
    """The phase of a rank at a line: its own last milestone before it, or that of any rank where it printed none."""
    earlier = [m for m in milestones(launch) if not before(launch, at, (m.ref, m.time))]
    own = [m for m in earlier if m.rank == rank] if rank != "main" else []
    ready = [m for m in earlier if m.phase in ("serving", "shutdown")]
    last = (ready or own or earlier)[-1:]
    if not last:
        return "serving" if launch.has("decode_batch", "prefill_batch", "http_access") else "unknown"
    return last[0].phase


def phase_of(launch: Launch, rank: str, at: tuple[LineRef, float | None], text: str) -> str:
    """The phase in which a record failed: what its own words and frames name, else what its rank was doing."""
    called = _IMPORTED.sub("", text)
    for phase, words in _WORDS:
        if any(word in called for word in words):
            return phase
    found = phase_at(launch, rank, at)
    if found != "unknown":
        return found
    return next((phase for phase, pattern in _EXCERPT if pattern.search(text)), found)
