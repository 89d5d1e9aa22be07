"""The rows of a scan as they pass: printed, and summed up for the last line and the exit code."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import click

from logscope.cli._failure import FINDINGS, SOME_FAILED, UNREADABLE, complain
from logscope.wording import several

if TYPE_CHECKING:
    from logscope.archive.scan import Row

SEVERITIES = ("note", "warning", "error")
REASONS_SHOWN = 20
CAUSES_SHOWN = 12


class Tally:
    """What a scan came to: counted while its rows pass."""

    def __init__(self, *, keep: bool) -> None:
        self.keep = keep  # the rows too, for a page without a store
        self.logs = 0
        self.failed: list[str] = []
        self.damaged: list[str] = []  # read up to where they broke off
        self.recognised = 0
        self.severities: Counter[str] = Counter()
        self.causes: Counter[str] = Counter()
        self.rows: list[Row] = []  # slimmed
        self.incidents = 0  # of several logs

    def counted(self, inputs: Iterable[Sequence[Row]]) -> Iterator[Sequence[Row]]:
        for rows in inputs:
            for row in rows:
                self._count(row)
            yield rows

    def _count(self, row: Row) -> None:
        self.logs += 1
        if self.keep:
            from logscope.archive.pages import slim

            self.rows.append(slim(row))
        if row.get("error"):
            self.failed.append(row["error"])
            return
        if row.get("damage"):
            self.damaged.append(f"{row['path']}: {row['damage']}")
        self.recognised += bool(row.get("recognised"))
        self.causes[row["cause"]] += 1
        for severity in SEVERITIES:
            self.severities[severity] += row.get(f"{severity}s") or 0

    def say(self, known: int, *, kept: str | None) -> None:
        """The sum on stderr."""
        _list(self.failed, "could not be read")
        _list(self.damaged, "could be read only in part")
        if self.incidents:
            were = "was" if self.incidents == 1 else "were"
            complain(f"{several(self.incidents, 'incident')} {were} joined from several logs (table incidents)")
        told = [f"{count} {cause}" for cause, count in self.causes.most_common(CAUSES_SHOWN)]
        rest = sum(self.causes.values()) - sum(count for _, count in self.causes.most_common(CAUSES_SHOWN))
        told += [f"{rest} of {several(len(self.causes) - CAUSES_SHOWN, 'other cause')}"] if rest else []
        complain(
            f"{several(self.logs, 'log')}, {len(self.failed)} failed, {several(known, 'input')} known from before"
            + f": {', '.join(told)}" * bool(told)
            + f"; kept in {kept}" * bool(kept)
        )

    def exit_code(self, fail_on: str) -> int:
        """3 when nothing was read, 4 when some inputs failed or broke off, 1 for findings from this severity on."""
        if self.logs == len(self.failed):
            return UNREADABLE
        if self.failed or self.damaged:
            return SOME_FAILED
        levels = SEVERITIES[SEVERITIES.index(fail_on) :] if fail_on != "never" else ()
        return FINDINGS if any(self.severities[level] for level in levels) else 0


def _list(reasons: Sequence[str], what: str) -> None:
    for why in reasons[:REASONS_SHOWN]:
        complain(why)
    if len(reasons) > REASONS_SHOWN:
        complain(f"and {len(reasons) - REASONS_SHOWN} more that {what}")


def write_rows(inputs: Iterable[Sequence[Row]], form: str, *, timings: bool) -> None:
    """The rows on stdout as they come, or nowhere."""
    from logscope.archive.scan import public_row

    last = time.perf_counter()
    for rows in inputs:
        now = time.perf_counter()
        for row in rows:
            if form == "jsonl":
                shown = public_row(row, seconds=round(now - last, 3) if timings else None)
                click.echo(json.dumps(shown, ensure_ascii=True))
            elif form == "table":
                click.echo(_line(row))
        last = now


def _line(row: Row) -> str:
    from logscope.render._visible import visible

    if row.get("error"):
        return f"{'not read':32} {row['error_kind']:10} {visible(row['path'])}"
    lo, hi = row.get("release_lo") or "", row.get("release_hi") or ""
    release = lo if lo == hi else f"{lo}–{hi}"
    return f"{row['cause']:32} {row['confidence']:10} {release:16} {visible(row['path'])}"
