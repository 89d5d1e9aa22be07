"""Times logscope beside its peers, side by side in one run: MB/s, peak memory and ratios, medians over rounds.

Peers that are not installed are named and left out; `make bench` installs them. The logs are made once and kept in
`build/benchmarks`.

    python benchmarks/run.py [--short | --large] [--size 1GB] [--runs 5] [--only PART …] [--sglang-wheel WHEEL]
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
from make_log import parser as of_log
from make_log import size_of, write
from timing import HEAD, ROOT, Command, ratio, rounds

BUILD = ROOT / "build/benchmarks"
PEER_PYTHON = os.environ.get("PEER_PYTHON", sys.executable)  # where polars, pandas and drain3 are installed
PEERS = str(ROOT / "benchmarks/peers.py")
JSON = "analyze --format json"
# What a release decompresses with, the fastest that is installed is compared with
EXPANDERS = {".gz": ("igzip", "pigz", "gzip"), ".zst": ("zstd",)}
PARTS = ("peers", "threads", "linear", "mixes", "packed", "small")


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


def large_log() -> Path:
    """10 GB: ten times the lines of the 1 GB log, each time on days of their own."""
    path = BUILD / "log-10GB.log"
    if not path.exists():
        once = log_of("1GB").read_bytes()
        begin = once.index(b"\n", once.index(b"ready to roll")) + 1
        with path.with_suffix(".part").open("wb") as out:
            out.write(once[:begin])
            for number in range(10):
                lines = once[begin:]
                for day in (3, 2, 1):  # 1 GB of 40 lines a second is a little more than two days
                    lines = lines.replace(b"[2026-11-%02d" % day, b"[2026-11-%02d" % (3 * number + day))
                out.write(lines)
        path.with_suffix(".part").rename(path)
    return path


def megabytes_of(path: Path) -> float:
    return path.stat().st_size / 1e6


def logscope(*arguments: str) -> list[str]:
    """A command line of logscope."""
    return [sys.executable, "-m", "logscope", *arguments]


def analyze(log: Path, *, form: str = "json", megabytes: float = 0.0, **environment: str) -> Command:
    """The command that is measured most: a report of one log."""
    out = str(BUILD / f"out.{form}")
    command = logscope("analyze", str(log), "--format", form, "--exit-zero", "--output", out)
    return Command(command, megabytes or megabytes_of(log), environment)


def peers(log: Path, small: Path, runs: int, wheel: str) -> None:
    """The reference mix: what logscope does, and what a user would take instead."""
    size = megabytes_of(log)
    commands = {
        JSON: analyze(log),
        "analyze --format html": analyze(log, form="html"),
        "tables": Command(logscope("tables", str(log), "--output", str(BUILD / "out-tables")), size),
        "wc -l": Command(["wc", "-l", str(log)], size),
    }
    slow = {"analyze of the smaller log": analyze(small)}
    left_out = {}
    needs = {
        "rg -c Decode": ("", "rg", [shutil.which("rg") or "", "-c", "Decode", str(log)]),
        "SGLang's log_parser (decode lines only)": ("polars", "sglang", [PEERS, "sglang", str(log), wheel]),
        "a regular expression a line → pandas": ("pandas", "loop", [PEERS, "loop", str(small)]),
        "Drain3": ("drain3", "drain3", [PEERS, "drain3", str(small)]),
    }
    for name, (module, which, arguments) in needs.items():
        if (
            (not module and not arguments[0])
            or (module and not _installed(module))
            or (which == "sglang" and not wheel)
        ):
            left_out[name] = (
                f"{module or which} is not installed" if which != "sglang" or wheel else "there is no wheel"
            )
        elif str(small) in arguments:
            slow[name] = Command([PEER_PYTHON, *arguments], megabytes_of(small))
        else:
            commands[name] = Command([*([PEER_PYTHON] if module else []), *arguments], size)
    print(f"## Reference mix, {log.stem}; per-line peers on {small.stem}; medians of {runs} rounds\n\n{HEAD}")
    found = rounds(commands, runs)
    beside = rounds(slow, max(1, runs // 2))
    for name, one in (found | beside).items():
        print(one.line(name), flush=True)
    for name, why in left_out.items():
        print(f"| {name} | left out: {why} | | | | |")
    own, own_small = found[JSON], beside["analyze of the smaller log"]
    for name, one in (found | beside).items():
        if one not in (own, own_small):
            mine = own if name in found else own_small
            wall, cpu = ratio(mine, one, "wall_s"), ratio(mine, one, "cpu_s")
            print(
                f"\n{name} takes {wall:.2f} × the wall time of analyze of the same log, {cpu:.2f} × its CPU time.",
                end="",
            )
    print(flush=True)


def _installed(module: str) -> bool:
    return subprocess.run([PEER_PYTHON, "-c", f"import {module}"], capture_output=True, check=False).returncode == 0


def threads(log: Path, runs: int) -> None:
    """One thread beside two, of the same log in the same rounds."""
    found = rounds({n: analyze(log, LOGSCOPE_THREADS=n) for n in ("1", "2")}, runs)
    print(f"\n## Threads, {log.stem}, medians of {runs} rounds\n\n{HEAD}")
    for name, one in found.items():
        print(one.line(f"{JSON}, threads: {name}"))
    print(f"\nTwo threads are {ratio(found['2'], found['1'], 'wall_s'):.2f} × as fast as one.", flush=True)


def linear(size: str, runs: int) -> None:
    """Time and memory over four sizes, and the line through the times."""
    logs = [log_of(size if part == 1 else f"{size_of(size) // part // 10**6}MB") for part in (8, 4, 2, 1)]
    found = rounds({path.stem: analyze(path) for path in logs}, runs)
    print(f"\n## Four sizes, medians of {runs} rounds\n\n{HEAD}")
    for name, one in found.items():
        print(one.line(name))
    x = np.array([one.command.megabytes for one in found.values()])
    y = np.array([one.median("cpu_s") for one in found.values()])
    slope, start = np.polyfit(x, y, 1)
    off = float(np.abs(y - (slope * x + start)).max() / y.max())
    print(f"\nCPU seconds = {start:.2f} + {slope * 1000:.2f} × GB over {len(x)} sizes; at most {off:.1%} off the line.")


def mixes(size: str, runs: int) -> None:
    """Logs that are nearly all tracebacks, request logs or retractions."""
    print(f"\n## Other mixes, {size}, medians of {runs} rounds\n\n{HEAD}")
    kinds = {"tracebacks": "--tracebacks=900", "request logs": "--requests=900", "retractions": "--retractions=900"}
    for name, one in rounds({name: analyze(log_of(size, share)) for name, share in kinds.items()}, runs).items():
        print(one.line(f"90 % {name}"), flush=True)


def packed(size: str, runs: int) -> None:
    """Compressed logs beside the fastest way to expand and count them and the analysis of the plain log."""
    plain = log_of(size)
    print(f"\n## Compressed, {plain.stem}, medians of {runs} rounds\n\n{HEAD}")
    for suffix, tools in EXPANDERS.items():
        there = [tool for tool in tools if shutil.which(tool)]
        log = plain.with_name(plain.name + suffix)
        if there and not log.exists():
            subprocess.run([there[-1], "-kf", str(plain)], check=True)
        if not log.exists():
            print(f"| {suffix} | left out: {tools[-1]} is not installed | | | | |")
            continue
        size_mb = megabytes_of(plain)
        counting = {tool: Command(["sh", "-c", f"{tool} -dc {log} | wc -l"], size_mb) for tool in there}
        found = rounds({suffix: analyze(log, megabytes=size_mb), "plain": analyze(plain), **counting}, runs)
        for name, one in found.items():
            print(one.line(f"{name} -dc, wc -l" if name in counting else f"{JSON}, {name}"))
        fastest = min((found[tool] for tool in there), key=lambda one: one.median("wall_s"))
        for what in ("wall_s", "cpu_s"):
            share = found[suffix].median(what) / (fastest.median(what) + found["plain"].median(what))
            print(f"| {suffix} ÷ (expand and count + plain), {what[:-2]} | {share:.2f} | | | | |", flush=True)


def small(runs: int) -> None:
    """What takes no time to read: process start and what does not grow with the log."""
    log = log_of("50kB")
    commands = {f"50 kB, {form}": analyze(log, form=form) for form in ("text", "html")}
    commands["--help"] = Command(logscope("--help"), megabytes_of(log))
    print(f"\n## Small, medians of {runs} rounds\n\n{HEAD}")
    for name, one in rounds(commands, runs).items():
        print(one.line(name))


def main() -> None:
    """Measure, and print tables in Markdown."""
    options = _options()
    size, other, runs = ("100MB", "50MB", 3) if options.short else (options.size, "200MB", options.runs)
    if options.large:
        log = large_log()
        print(f"## Reference mix, {log.stem}, once\n\n{HEAD}")
        print(rounds({JSON: analyze(log)}, 1)[JSON].line(JSON))
        return
    log = log_of(size)
    measured = {
        "peers": lambda: peers(log, log_of("20MB" if options.short else "100MB"), runs, options.sglang_wheel),
        "threads": lambda: threads(log, runs),
        "linear": lambda: linear(size, runs),
        "mixes": lambda: mixes(other, runs),
        "packed": lambda: packed(other, runs),
        "small": lambda: small(runs),
    }
    for part in options.only or PARTS:
        measured[part]()


def _options() -> argparse.Namespace:
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--size", default="1GB")
    made.add_argument("--runs", type=int, default=5)
    made.add_argument("--short", action="store_true", help="smaller logs in three rounds: a few minutes")
    made.add_argument("--large", action="store_true", help="10 GB, once")
    made.add_argument("--only", nargs="*", choices=PARTS)
    made.add_argument("--sglang-wheel", default=os.environ.get("SGLANG_WHEEL", ""))
    return made.parse_args()


if __name__ == "__main__":
    main()
