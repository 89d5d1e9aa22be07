"""Follow a log that never ends: days of lines in minutes, rotated, truncated and restarted under `logscope watch`.

    python benchmarks/soak.py [--minutes 60] [--rate 2MB] [--rotate 32MB]

Every few rotations the server crashes and comes up again: each crash must be told of once, none may be invented, and
after its first third the process must not grow by more than a tenth. Exit 1 when one of these does not hold.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from make_log import lines, size_of
from make_log import parser as of_log

ROOT = Path(__file__).resolve().parents[1]
PIECE = 400  # lines that are written at once
PATIENCE_S = 120.0  # with a verdict on a dead server
_CRASH = """\
[{t} TP0] Scheduler hit an exception: Traceback (most recent call last):
  File "/usr/local/lib/python3.12/site-packages/sglang/srt/managers/scheduler.py", line 3044, in run_scheduler_process
    scheduler.event_loop_overlap()
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.50 GiB. GPU 0 has a total capacity of 79.11 GiB of \
which 512.00 MiB is free. Process 4711 has 78.60 GiB memory in use. Of the allocated memory 76.10 GiB is allocated by \
PyTorch, and 1.20 GiB is reserved by PyTorch but unallocated.

[{t}] Received sigquit from a child process. It usually means the child failed.
"""


def main() -> int:
    asked = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    asked.add_argument("--minutes", type=float, default=60.0)
    asked.add_argument("--rate", type=size_of, default="2MB", help="bytes a second")
    asked.add_argument("--rotate", type=size_of, default="32MB", help="bytes of one file")
    asked.add_argument("--crash-every", type=int, default=3, metavar="N", help="rotations")
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        log, told = Path(folder) / "server.log", Path(folder).parent / f"soak-{os.getpid()}.jsonl"
        log.touch()
        command = [sys.executable, "-m", "logscope", "watch", str(log), "--format", "json"]
        with told.open("w") as out, subprocess.Popen(command, stdout=out, cwd=ROOT) as watching:
            time.sleep(3)
            crashes, sizes_mb = grow(log, told, given, watching.pid)
            sizes_mb.append(resident_mb(watching.pid))
            watching.terminate()
        verdicts = [json.loads(line) for line in told.read_text().splitlines()]
        told.unlink()
    return judged(verdicts, crashes, sizes_mb)


def grow(log: Path, told: Path, given: argparse.Namespace, process: int) -> tuple[int, list[float]]:
    """Write until the time is over; how many servers died, and the memory of the watcher, a sample a second."""
    until, began, written, rotations, crashes = time.monotonic() + given.minutes * 60, time.monotonic(), 0, 0, 0
    pieces, seed, stamp = served(1), 1, ""
    sizes_mb: list[float] = []
    while time.monotonic() < until:
        text = "".join(islice(pieces, PIECE))
        stamp = text.rpartition("\n[")[2][:19] or stamp
        with log.open("a") as out:
            out.write(text)
        written += len(text)
        if log.stat().st_size > given.rotate:
            rotations += 1
            if rotations % given.crash_every == 0:
                with log.open("a") as out:
                    out.write(_CRASH.format(t=stamp))
                crashes, seed = crashes + 1, seed + 1
                began += silent(told, crashes)
                pieces = served(seed)
            rotated(log, copied=bool(rotations % 2))
        ahead_s = written / given.rate - (time.monotonic() - began)
        if ahead_s > 0:
            time.sleep(ahead_s)
        if len(sizes_mb) < time.monotonic() - began:
            sizes_mb.append(resident_mb(process))
    return crashes, sizes_mb


def silent(told: Path, crashes: int) -> float:
    """A dead server is silent until somebody who was told of it starts it again; how many seconds that took."""
    began = time.monotonic()
    while told.read_text().count('"died"') < crashes and time.monotonic() - began < PATIENCE_S:
        time.sleep(0.2)
    return time.monotonic() - began


def served(seed: int) -> Iterator[str]:
    """The lines of one server, each start at a day of its own."""
    options = of_log().parse_args(["--seed", str(seed), "--retractions", "0"])
    for text in lines(options):
        yield text.replace("2026-11-", f"20{26 + seed % 70}-11-")


def rotated(log: Path, *, copied: bool) -> None:
    """Begin the file anew: renamed away, or copied and truncated under its writer."""
    time.sleep(1.5)  # what was written is read before, as a writer that is not in a hurry leaves it
    old = log.with_suffix(".log.1")
    if copied:
        old.write_bytes(log.read_bytes())
        os.truncate(log, 0)
    else:
        log.rename(old)
        log.touch()


def resident_mb(process: int) -> float:
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def judged(verdicts: list[dict[str, object]], crashes: int, sizes_mb: list[float]) -> int:
    died = [one for one in verdicts if one["event"] == "died"]
    other = [f"{one['event']}: {one.get('sentence')}" for one in verdicts if one["event"] not in ("died", "last")]
    third = len(sizes_mb) // 3
    early, late = max(sizes_mb[: third + 1]), max(sizes_mb[third:])
    print(f"{crashes} crashes, {len(died)} told of; {len(other)} other verdicts; {early:.0f} MB, then {late:.0f} MB")
    for said in other[:10]:
        print(f"  {said}")
    causes = {one["cause"] for one in died}
    whole = len(died) == crashes and causes <= {"forward_out_of_memory"} and not other
    return 0 if whole and late <= 1.1 * early else 1


if __name__ == "__main__":
    raise SystemExit(main())
