"""Damage logs in a thousand ways, and hold every report against what must hold of all reports.

    python -m tools.fuzz [--seconds 600] [--count N] [--seed 1] [--jobs 2] [--only NUMBER]

A defect is printed with its number, and the log that shows it is kept in `build/fuzz`; `--only NUMBER` with the same
seed makes it again. Exit 1 when there was one.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import logging
import math
import os
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from random import Random

import logscope
from logscope.errors import LogscopeError
from tools.fuzz.mutations import damaged
from tools.fuzz.promises import hold

ROOT = Path(__file__).resolve().parents[2]
LOGS = sorted((ROOT / "tests/fixtures").rglob("*.log"))
KEPT = ROOT / "build/fuzz"
LONGEST_BYTES = 60_000  # of a log that is damaged: the more of them, the better
SLOWEST_S = 120.0  # on a machine that does much else


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of one damaged log: "report", "refused", or the traceback of a defect."""

    number: int
    came: str
    defect: str = ""


def main() -> int:
    asked = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    asked.add_argument("--seconds", type=float, default=600.0)
    asked.add_argument("--count", type=int, help="so many logs, however long they take")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    asked.add_argument("--only", type=int, help="the number of one log to be made and read again")
    given = asked.parse_args()
    numbers = itertools.count() if given.only is None else iter([given.only])
    until = time.monotonic() + given.seconds
    if given.count is not None:
        numbers, until = iter(range(given.count)), math.inf
    came, defects = Counter[str](), 0
    for trial in trials(numbers, given.seed, given.jobs, until=until):
        came[trial.came] += 1
        if trial.defect:
            defects += 1
            print(f"== {given.seed}/{trial.number}\n{trial.defect}", flush=True)
    told = ", ".join(f"{count} {name}" for name, count in sorted(came.items()))
    print(f"fuzz: seed {given.seed}: {sum(came.values())} logs: {told}; {defects} defects")
    return 1 if defects else 0


def trials(numbers: Iterator[int], seed: int, jobs: int, *, until: float) -> Iterator[Trial]:
    """Damaged logs as they come, in as many processes."""
    with ProcessPoolExecutor(jobs) as pool:
        flying: set[Future[Trial]] = set()
        more = True
        while more or flying:
            while more and len(flying) < 2 * jobs:
                number = next(numbers, None) if time.monotonic() < until else None
                more = number is not None
                if number is not None:
                    flying.add(pool.submit(tried, seed, number))
            done, flying = wait(flying, return_when=FIRST_COMPLETED) if flying else (set(), set())
            yield from (future.result() for future in done)


def tried(seed: int, number: int) -> Trial:
    """Make one damaged log (or two of one incident), read it, and look at what came of it."""
    random = Random(f"{seed}/{number}")
    texts = [_damaged_log(random) for _ in range(random.choice((1, 1, 1, 2)))]
    with tempfile.TemporaryDirectory() as folder, _errors_raised():
        paths = [Path(folder) / f"node{place}.log" for place in range(len(texts))]
        for path, text in zip(paths, texts, strict=True):
            path.write_bytes(text)
        began = time.monotonic()
        try:
            report = logscope.analyze(logscope.open_log(paths)).data
            hold(report)
            if number % 10 == 0:
                assert logscope.analyze(logscope.open_log(paths)).data == report, "another report of the same log"
            assert time.monotonic() - began < SLOWEST_S, f"took {time.monotonic() - began:.0f} s"
        except LogscopeError:
            return Trial(number, "refused")
        except Exception:  # noqa: BLE001  whatever else it is, it is the defect that is looked for
            KEPT.mkdir(parents=True, exist_ok=True)
            for place, text in enumerate(texts):
                (KEPT / f"{seed}-{number}-{place}.log").write_bytes(text)
            return Trial(number, "failed", traceback.format_exc())
    return Trial(number, "reported")


@contextlib.contextmanager
def _errors_raised() -> Iterator[None]:
    """A rule that fails leaves the report whole and is only logged: here it is a defect as well, as is a warning."""
    logger, raising = logging.getLogger("logscope"), _Raising(logging.ERROR)
    logger.addHandler(raising)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            yield
    finally:
        logger.removeHandler(raising)


class _Raising(logging.Handler):
    """Raises the exception that is logged."""

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1]:
            raise record.exc_info[1]


def _damaged_log(random: Random) -> bytes:
    data = random.choice(LOGS).read_bytes()
    begin = random.randrange(max(1, len(data) - LONGEST_BYTES))
    return damaged(data[begin : begin + LONGEST_BYTES], random)


if __name__ == "__main__":
    raise SystemExit(main())
