"""Commands timed side by side: in each round every command runs once, so that what slows the machine slows them all."""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HEAD = "| command | wall s | CPU s | MB/s | MB/s a core | peak MB |\n|---|---:|---:|---:|---:|---:|"


@dataclass(frozen=True, slots=True)
class Command:
    """What is run, how many bytes it reads, and its own part of the environment."""

    arguments: Sequence[str]
    megabytes: float
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Run:
    """One run, process start included; CPU of user and system, peak of resident memory."""

    wall_s: float
    cpu_s: float
    peak_mb: float


@dataclass(frozen=True, slots=True)
class Timed:
    """The runs of one command."""

    command: Command
    runs: tuple[Run, ...]

    def median(self, what: str) -> float:
        return statistics.median(getattr(run, what) for run in self.runs)

    def line(self, name: str) -> str:
        """A row of a table in Markdown."""
        wall, cpu, megabytes = self.median("wall_s"), self.median("cpu_s"), self.command.megabytes
        speeds = f"{megabytes / wall:.0f} | {megabytes / cpu:.0f}"
        return f"| {name} | {wall:.2f} | {cpu:.2f} | {speeds} | {self.median('peak_mb'):.0f} |"


def ratio(one: Timed, other: Timed, what: str) -> float:
    """How many times as much the other takes for a byte: the median over the rounds in which both ran."""
    by_bytes = one.command.megabytes / other.command.megabytes
    pairs = zip(one.runs, other.runs, strict=False)
    return statistics.median(getattr(b, what) / getattr(a, what) for a, b in pairs) * by_bytes


def rounds(commands: Mapping[str, Command], runs: int) -> dict[str, Timed]:
    """Every command so many times, one after the other in each round."""
    found: dict[str, list[Run]] = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            found[name].append(_run(command))
    return {name: Timed(commands[name], tuple(of_one)) for name, of_one in found.items()}


def _run(command: Command) -> Run:
    begin = time.perf_counter()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **command.environment}
    child = subprocess.Popen(command.arguments, stdout=subprocess.DEVNULL, env=environment, cwd=ROOT)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(command.arguments)}: exit {child.returncode}")
    return Run(time.perf_counter() - begin, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
