"""Times logscope beside its peers, side by side in one run: MB/s and peak memory, medians of several.

Peers that are not installed are named and left out. The logs are made once and kept in `build/benchmarks`.

    python benchmarks/run.py [--size 1GB] [--runs 5] [--large] [--only NAME …] [--sglang-wheel WHEEL]
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from make_log import parser as of_log
from make_log import size_of, write

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build/benchmarks"
PEER_PYTHON = os.environ.get("PEER_PYTHON", sys.executable)  # where polars and drain3 are installed
PEERS = str(ROOT / "benchmarks/peers.py")


@dataclass(frozen=True)
class Timed:
    """Medians of several runs of one command."""

    name: str
    megabytes: float
    wall_s: float
    cpu_s: float
    peak_mb: float

    @property
    def line(self) -> str:
        speed, core = self.megabytes / self.wall_s, self.megabytes / self.cpu_s
        return f"| {self.name} | {self.wall_s:.2f} | {self.cpu_s:.2f} | {speed:.0f} | {core:.0f} | {self.peak_mb:.0f} |"


HEAD = "| command | wall s | CPU s | MB/s | MB/s a core | peak MB |\n|---|---:|---:|---:|---:|---:|"


def timed(name: str, command: Sequence[str], megabytes: float, runs: int, **environment: str) -> Timed:
    """Run a command several times, process start included."""
    found = []
    for _ in range(runs):
        begin = time.perf_counter()
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, env={**os.environ, **environment}, cwd=ROOT)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode not in (0, 1):
            raise SystemExit(f"{' '.join(command)}: exit {child.returncode}")
        found.append((time.perf_counter() - begin, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024))
    return Timed(name, megabytes, *(statistics.median(column) for column in zip(*found, strict=True)))


def log_of(size: str, *arguments: str) -> Path:
    """A benchmark log, made where it is not there yet."""
    name = "-".join(["log", size, *(argument.strip("-") for argument in arguments)])
    path = BUILD / f"{name}.log"
    if not path.exists():
        BUILD.mkdir(parents=True, exist_ok=True)
        options = of_log().parse_args(["--size", size, *arguments])
        with path.with_suffix(".part").open("w", encoding="utf-8", newline="\n") as out:
            write(options, out)
        path.with_suffix(".part").rename(path)
    return path


def logscope(*arguments: str) -> list[str]:
    """A command line of logscope."""
    return [sys.executable, "-m", "logscope", *arguments]


def commands(log: Path, wheel: str) -> dict[str, list[str] | str]:
    """Every measured command by its name; a text says why one is left out."""
    out = str(BUILD / "out")
    found: dict[str, list[str] | str] = {
        "analyze --format json": logscope("analyze", str(log), "--format", "json", "--exit-zero"),
        "analyze --format html": logscope(
            "analyze", str(log), "--format", "html", "--exit-zero", "--output", f"{out}.html"
        ),
        "tables": logscope("tables", str(log), "--output", f"{out}-tables"),
        "wc -l": ["wc", "-l", str(log)],
        "rg -c Decode": ["rg", "-c", "Decode", str(log)] if shutil.which("rg") else "ripgrep is not installed",
        "regular expressions a line → pandas": [sys.executable, PEERS, "loop", str(log)],
    }
    needs = {"SGLang's log_parser": ("polars", "sglang"), "Drain3": ("drain3", "drain3")}
    for name, (module, which) in needs.items():
        there = _installed(module) and (which != "sglang" or wheel)
        why = f"{module} is not installed" if which != "sglang" or wheel else "no --sglang-wheel was given"
        found[name] = [PEER_PYTHON, PEERS, which, str(log), wheel] if there else why
    return found


def _installed(module: str) -> bool:
    return subprocess.run([PEER_PYTHON, "-c", f"import {module}"], capture_output=True, check=False).returncode == 0


def main() -> None:
    """Measure, and print tables in Markdown."""
    options = _options()
    size = "10GB" if options.large else options.size
    runs = 1 if options.large else options.runs
    log = log_of(size)
    megabytes = log.stat().st_size / 1e6
    print(f"## Reference mix, {size}, median of {runs}\n\n{HEAD}")
    found: dict[str, Timed] = {}
    for name, command in commands(log, options.sglang_wheel).items():
        if options.only and not any(name.startswith(one) for one in options.only):
            continue
        if isinstance(command, str):
            print(f"| {name} | left out: {command} | | | | |", flush=True)
            continue
        slow = name in ("Drain3", "regular expressions a line → pandas")
        found[name] = timed(name, command, megabytes, 1 if slow else runs)
        print(found[name].line, flush=True)
    _ratios(found)
    if not options.only and not options.large:
        _threads(log, megabytes, runs)
        _linear(size, runs)
        _others(runs)


def _ratios(found: dict[str, Timed]) -> None:
    own = found.get("analyze --format json")
    for name, one in found.items() if own else ():
        if one is not own and own:
            print(f"\nanalyze --format json is {one.wall_s / own.wall_s:.2f} × as fast as {name}.", end="")
    print()


def _threads(log: Path, megabytes: float, runs: int) -> None:
    command = logscope("analyze", str(log), "--format", "json", "--exit-zero")
    one, two = (timed(f"{n} threads", command, megabytes, runs, LOGSCOPE_THREADS=n) for n in ("1", "2"))
    print(f"\nTwo threads are {one.wall_s / two.wall_s:.2f} × as fast as one.")


def _linear(size: str, runs: int) -> None:
    sizes = [size_of(size) // part for part in (8, 4, 2, 1)]
    logs = [log_of(size if part == size_of(size) else f"{part // 10**6}MB") for part in sizes]
    found = [
        timed(path.name, logscope("analyze", str(path), "--format", "json", "--exit-zero"), 1, runs) for path in logs
    ]
    x, y = np.array([path.stat().st_size / 1e6 for path in logs]), np.array([one.cpu_s for one in found])
    slope, start = np.polyfit(x, y, 1)
    off = float(np.abs(y - (slope * x + start)).max() / y.max())
    print(f"\nCPU seconds = {start:.2f} + {slope * 1000:.2f} × GB over {len(x)} sizes; at most {off:.1%} off the line.")


def _others(runs: int) -> None:
    print(f"\n## Other mixes and forms, median of {runs}\n\n{HEAD}")
    tracebacks = log_of("200MB", "--decode=3", "--prefill=1", "--access=6", "--tracebacks=10")
    requests = log_of("200MB", "--decode=29", "--prefill=12", "--access=59", "--requests=170")
    for name, path in (("tracebacks", tracebacks), ("request logs", requests)):
        command = logscope("analyze", str(path), "--format", "json", "--exit-zero")
        print(timed(f"90 % {name}", command, path.stat().st_size / 1e6, runs).line, flush=True)
    plain = log_of("200MB")
    for suffix, tool in ((".gz", ["gzip", "-kf"]), (".zst", ["zstd", "-qkf"])):
        packed = plain.with_name(plain.name + suffix)
        if shutil.which(tool[0]) and not packed.exists():
            subprocess.run([*tool, str(plain)], check=True)
        if packed.exists():
            command = logscope("analyze", str(packed), "--format", "json", "--exit-zero")
            print(timed(f"the reference mix as {suffix}", command, plain.stat().st_size / 1e6, runs).line)
            count = f"{tool[0]} -dc {packed} | wc -l"
            print(timed(count.replace(str(packed), suffix), ["sh", "-c", count], plain.stat().st_size / 1e6, runs).line)
    small = log_of("50kB")
    for form in ("text", "html"):
        command = logscope("analyze", str(small), "--format", form, "--exit-zero", "--output", str(BUILD / "small.out"))
        print(timed(f"50 kB, {form}", command, 0.05, runs).line)
    print(timed("--help", logscope("--help"), 0.05, runs).line)


def _options() -> argparse.Namespace:
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--size", default="1GB")
    made.add_argument("--runs", type=int, default=5)
    made.add_argument("--large", action="store_true", help="10 GB, once")
    made.add_argument("--only", nargs="*", help="beginnings of the names of commands")
    made.add_argument("--sglang-wheel", default=os.environ.get("SGLANG_WHEEL", ""))
    return made.parse_args()


if __name__ == "__main__":
    main()
