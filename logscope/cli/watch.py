"""`logscope watch`: follow a log that grows, and tell at once what happened."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from logscope.cli._failure import FINDINGS, INTERRUPTED, UNREADABLE, complain
from logscope.cli._output import to_stdout

if TYPE_CHECKING:
    from logscope.cli._delivery import Delivery
    from logscope.following import Following
    from logscope.tail import Tail
    from logscope.watching import Verdict, Watched

BUDGET_BYTES = 64 << 20  # of text, of all logs together
_LEAST_BYTES, _MOST_BYTES = 1 << 18, 16 << 20  # of one log
_BAD = ("died", "hung")


@click.command(short_help="Follow logs and print a verdict when a server ends.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH…")
@click.option(
    "--severity",
    type=click.Choice(["error", "warning", "note"]),
    default="error",
    show_default=True,
    help="Tell of rules from this severity on.",
)
@click.option("--command", metavar="CMD", help="Run this with each verdict as JSON on its stdin; no shell.")
@click.option("--post", metavar="URL", help="POST each verdict as JSON to this http(s) address.")
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(["line", "json", "text"]),
    default="line",
    show_default=True,
    help="How verdicts are printed; json: one line each.",
)
@click.option("--interval", type=click.FloatRange(min=0.01), default=1.0, show_default=True, metavar="SECONDS")
@click.option(
    "--settle",
    type=click.FloatRange(min=0),
    default=2.0,
    show_default=True,
    metavar="SECONDS",
    help="Pause in the log after which a failure counts as told.",
)
@click.option("--once", is_flag=True, help="Judge what is there, and end.")
@click.option("--since-start", is_flag=True, help="Tell also of what happened before.")
def watch(
    paths: tuple[str, ...],
    severity: str,
    command: str | None,
    post: str | None,
    form: str,
    interval: float,
    settle: float,
    once: bool,
    since_start: bool,
) -> int:
    """Follow logs and print a verdict when a server dies or stops, or when a rule fires for the first time.

    PATH is a log, a directory of logs, a named pipe, or - for stdin. Rotation and truncation are followed. Each verdict
    is given once a launch. Ends with Ctrl-C (exit code 130), at the end of stdin, or with --once.
    """
    from logscope.following import Following
    from logscope.trigger import Pace

    whole = once or since_start
    with ExitStack() as stack:
        deliveries = [_closed_later(stack, made) for made in _deliveries(command, post)]
        following = Following(list(paths), skip_bytes=None if whole else _MOST_BYTES)
        watching = Watch(following, severity, Pace(settle_s=settle), deliveries, form, quiet=not whole)
        if once:
            return watching.once()
        with _stopped_by_signals() as stop:
            code = watching.run(interval, stop)
    return code


class Watch:
    """All followed logs, and what was said of them."""

    def __init__(
        self,
        following: Following,
        severity: Any,
        pace: Any,
        deliveries: Sequence[Delivery],
        form: str,
        *,
        quiet: bool,
    ) -> None:
        self.following = following
        self.logs: dict[Tail, Watched] = {}
        self.bad = False
        self.judged = False  # whether any line was one that a server prints
        self._severity, self._pace, self._form = severity, pace, form
        self._deliveries = deliveries
        self._new = quiet
        self._whole = False  # whether this ends with the first look, so that a defect must not pass
        self._old = set(following.tails) if quiet else set()  # logs whose past is no news

    def once(self) -> int:
        """Judge what is there; 1 when something died or an error was found, 3 when there is nothing to judge."""
        self._whole = True
        while self._read() or self.following.flowing:
            time.sleep(0.02 if self.following.flowing else 0)
        self._finish()
        if not self.judged:
            complain("nothing to judge: there is no line that SGLang prints")
            return UNREADABLE
        return FINDINGS if self.bad else 0

    def run(self, interval: float, stop: threading.Event) -> int:
        """Follow until a signal comes or nothing can come any more."""
        while not stop.is_set():
            self._read()
            if self.following.ended:
                self._finish()
                return FINDINGS if self.bad else 0
            self._past()
            for tail, log in list(self.logs.items()):
                log.begins(tail.partial)
                if log.due:
                    self._tell(self._looked(log.verdicts, tail.path))
            for tail in self.following.lost():
                self._close(tail)
            stop.wait(interval)
        self._read()
        for tail, log in self.logs.items():
            log.begins(tail.partial)
            self._tell(self._looked(log.last, tail.path))
        complain("interrupted")
        return INTERRUPTED

    def _read(self) -> bool:
        any_came = False
        for piece in self.following.poll():
            any_came = True
            log = self.logs.get(piece.tail) or self._log_of(piece.tail)
            log.take(piece.data, fresh=piece.fresh)
            if log.crowded:
                found = self._looked(log.verdicts, piece.tail.path)
                self._tell(found if piece.tail not in self._old else [])
        return any_came

    def _past(self) -> None:
        """Learn what happened before, without a word on stdout."""
        for tail in list(self._old):
            log = self.logs.get(tail)
            said = self._looked(log.verdicts, tail.path) if log is not None else []
            state = f"{said[-1].data['state']}, {said[-1].data['cause']}" if said else "nothing to tell of so far"
            complain(f"following {tail.path}: {state}")
        for directory in self.following.directories if self._new else ():
            complain(f"following {directory}: {len(self.following.tails)} logs so far")
        self._old.clear()
        self._new = False

    def _looked(self, look: Callable[[], list[Verdict]], path: str) -> list[Verdict]:
        """What a look says; a defect of logscope is told of, and following goes on."""
        try:
            return look()
        except Exception as error:
            if self._whole:
                raise
            complain(f"{path}: internal error, {type(error).__name__}: {error}; following goes on")
            return []

    def _log_of(self, tail: Tail) -> Watched:
        from logscope.watching import Watched

        budget = min(max(BUDGET_BYTES // max(len(self.following.tails), 1), _LEAST_BYTES), _MOST_BYTES)
        made = Watched(
            tail.path,
            threshold=self._severity,
            pace=self._pace,
            budget_bytes=budget,
            first_line=tail.first_line,
        )
        self.logs[tail] = made
        return made

    def _finish(self) -> None:
        for tail in self.following.tails:
            for piece in tail.finish():
                (self.logs.get(tail) or self._log_of(tail)).take(piece.data, fresh=piece.fresh)
        for tail in list(self.logs):
            self._close(tail)

    def _close(self, tail: Tail) -> None:
        log = self.logs.pop(tail, None)
        if log is not None:
            self._tell(self._looked(log.verdicts, tail.path))
            self.judged = self.judged or log.recognised
        tail.close()

    def _tell(self, verdicts: Sequence[Verdict]) -> None:
        for verdict in verdicts:
            errors = any(finding["severity"] == "error" for finding in verdict.data.get("findings", ()))
            self.bad = self.bad or verdict.event in _BAD or errors
            to_stdout(_printed(verdict, self._form))
            for delivery in self._deliveries if verdict.event != "last" else ():
                delivery.give(verdict.data)


def _printed(verdict: Verdict, form: str) -> str | bytes:
    from logscope.cli._delivery import encoded
    from logscope.render import render

    if form == "json":
        return encoded(verdict.data)
    if form == "text":
        return render(verdict.report, "text", width=100, color=False)
    shown = render(verdict.report, "line")
    line = shown if isinstance(shown, str) else shown.decode()
    when = f"{verdict.data['time']} " if "time" in verdict.data else ""
    if verdict.event != "finding":
        return f"{when}{verdict.event}: {line}"
    return "".join(f"{when}finding: {_finding_line(verdict.data, found)}\n" for found in verdict.data["findings"])


def _finding_line(data: Mapping[str, Any], found: Mapping[str, Any]) -> str:
    from logscope.render._wording import clip, clip_path, prose

    at = f" | line {found['evidence'][0]['line']}" if found.get("evidence") else ""
    rank = f" {prose(found['rank'])}" if "rank" in found else ""
    message = clip(prose(found.get("message", found.get("title", ""))).rstrip("."), 400)
    return f"{clip_path(data['path'], 80)}: {found['rule']} ({found['severity']}){rank}: {message}{at}"


def _deliveries(command: str | None, post: str | None) -> Iterator[Delivery]:
    if command is None and post is None:
        return
    from logscope.cli._delivery import to_command, to_url

    if command is not None:
        yield to_command(command)
    if post is not None:
        yield to_url(post)


def _closed_later(stack: ExitStack, delivery: Delivery) -> Delivery:
    stack.callback(delivery.close, 30.0)
    return delivery


@contextmanager
def _stopped_by_signals() -> Iterator[threading.Event]:
    """An event that the first SIGINT or SIGTERM sets; the second ends the program as it would without us."""
    stop = threading.Event()
    before: dict[int, Callable[[int, FrameType | None], Any] | int | None] = {}

    def end(_number: int, _frame: FrameType | None) -> None:
        stop.set()
        for number, handler in before.items():
            signal.signal(number, handler)

    for number in (int(signal.SIGINT), int(signal.SIGTERM)):
        before[number] = signal.signal(number, end)
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        sys.stdout.flush()
