"""Loading or serving LoRA adapters stalls.

What it is
    A load of an adapter begins and does not end, or adapters force a tiny prefill chunk that everything waits for.

How to tell
    Adapter lines: a start without its end; or a chunk of a few dozen tokens with a queue beside an empty pool.

Not to be taken for
    A hang of the scheduler: no watchdog. A slow device: the chunk is the limit.

What to do
    Raise the chunk, or load the adapters before serving; update.

Source
    `lora/lora_manager.py`; `Scheduler.get_new_batch_prefill`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from logscope.case import Case
from logscope.facts import batches
from logscope.finding import Action, Hypothesis, Way
from logscope.launch import Row
from logscope.quantity import LineRef

WAY: Way = "leave"
TITLE = "Adapters stall the server"
_SMALL_CHUNK = 128


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """Adapter lines, and a chunk that starves or a load without its end."""
    if case.died:
        return
    lines = _adapter_lines(case)
    if not lines:
        return
    begun = [row for row in lines if re.search(r"start (?:to )?load", _said(row), re.IGNORECASE)]
    ended = [
        row
        for row in lines
        if re.search(
            r"(?:end|finish\w*|done|complet\w*) .*load|load\w* .*(?:complet|finish|end)", _said(row), re.IGNORECASE
        )
    ]
    if begun and len(begun) > len(ended) + _answered(case):
        yield _made(0.62, "the load of an adapter begins and does not end", (begun[-1].ref,))
    chunk = [row for row in case.launch.rows("capacity") if 0 < row.get("chunked_prefill_size", 0) <= _SMALL_CHUNK]
    if not chunk:
        return
    size = chunk[-1]["chunked_prefill_size"]
    tokens = batches.column(case.launch, "prefill_batch", "new_tokens")
    full = np.flatnonzero(tokens == size)
    if len(full) >= 3:
        told = f"every prefill takes {size} tokens, the chunk that was set, and requests wait behind it"
        yield _made(
            0.6,
            told,
            (
                chunk[-1].ref,
                batches.ref(case.launch, "prefill_batch", int(full[0])),
                batches.ref(case.launch, "prefill_batch", int(full[-1])),
            ),
        )


def _answered(case: Case) -> int:
    """Loads that were answered, with whatever status: they are over."""
    table = case.launch.table("http_access")
    if not table.num_rows:
        return 0
    return int(pc.sum(pc.match_substring(table["target"].cast(pa.string()), "load_lora_adapter")).as_py() or 0)


def _adapter_lines(case: Case) -> list[Row]:
    return [
        row
        for name in ("lora", "notice")
        if case.launch.table(name).num_rows < 10_000
        for row in case.launch.rows(name)
        if name == "lora" or "lora" in _said(row).lower()
    ]


def _said(row: Row) -> str:
    return " ".join(str(value) for value in row.cells.values() if isinstance(value, str))


def _made(weight: float, told: str, lines: tuple[LineRef, ...]) -> Hypothesis:
    return Hypothesis(
        cause="adapter_stalled",
        weight=weight,
        sentence=f"Adapters stall the server: {told}.",
        evidence=tuple(dict.fromkeys(lines)),
        confidence="likely",
        fraction=WAY,
        chain=((lines[0], told),),
        actions=(
            Action(
                do="Raise --chunked-prefill-size, load the adapters before serving, and update the server.",
                why="A prefill of a few dozen tokens costs as much as a large one.",
                verify="`#new-token` of prefill batches grows and the queue stays empty.",
                set={"flag": "--chunked-prefill-size"},
            ),
        ),
        at=lines[0],
    )
