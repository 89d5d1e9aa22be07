"""Which cause is told where another is labelled: a table in Markdown, of labelled logs as they are and told otherwise.

    python -m tools.confusion FOLDER… [--told 3]

A folder holds one folder a log, with `case.toml` and `log.txt`. A cause that a label also accepts is counted as what it
is, and marked. Exit 1 when a cause is told that no label accepts.
"""

from __future__ import annotations

import argparse
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import logscope
from tools.told import TOLD, told_otherwise

Cell = tuple[str, str, bool]  # labelled, told, accepted


def main() -> int:
    asked = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    asked.add_argument("folders", nargs="+", type=Path)
    asked.add_argument("--told", type=int, default=3, metavar="N", help="ways in which each log is told otherwise")
    given = asked.parse_args()
    plain, otherwise = Counter[Cell](), Counter[Cell]()
    with tempfile.TemporaryDirectory() as folder:
        for number, case in enumerate(sorted(p.parent for one in given.folders for p in one.glob("*/case.toml"))):
            label = tomllib.loads((case / "case.toml").read_text(encoding="utf-8"))
            for first, cause in causes(case / "log.txt", Path(folder) / "server.log", number, given.told):
                accepted = cause in (label["cause"], *label["also_accept"])
                (plain if first else otherwise)[label["cause"], cause, accepted] += 1
    table(plain, otherwise)
    return 1 if any(not accepted for _, _, accepted in (*plain, *otherwise)) else 0


def causes(log: Path, copy: Path, number: int, most: int) -> Iterator[tuple[bool, str]]:
    """The cause of a log as it is, and of the log told otherwise; each log begins with another way."""
    data = log.read_bytes()
    yield True, _cause(copy, data)
    ways = [TOLD[(number + step) % len(TOLD)] for step in range(len(TOLD))]
    others = filter(None, (told_otherwise(data, way) for way in ways))
    for other, _ in zip(others, range(most), strict=False):
        yield False, _cause(copy, other)


def _cause(copy: Path, data: bytes) -> str:
    copy.write_bytes(data)
    return str(logscope.analyze(logscope.open_log(copy)).data["verdict"]["cause"])


def table(plain: Counter[Cell], otherwise: Counter[Cell]) -> None:
    """The labelled causes with how often they are told, and below them every other cell."""
    print("| labelled | told | as they are | told otherwise |\n|---|---|---:|---:|")
    cells = sorted({*plain, *otherwise}, key=lambda cell: (cell[0] != cell[1], cell))
    for labelled, cause, accepted in cells:
        which = "the same" if labelled == cause else f"{cause}{' (accepted)' if accepted else ' (WRONG)'}"
        cell = labelled, cause, accepted
        print(f"| {labelled} | {which} | {plain[cell]} | {otherwise[cell]} |")
    for name, found in (("as they are", plain), ("told otherwise", otherwise)):
        same = sum(count for (labelled, cause, _), count in found.items() if labelled == cause)
        wrong = sum(count for (_, _, accepted), count in found.items() if not accepted)
        print(f"\n{name}: {sum(found.values())} logs, {same} on the diagonal, {wrong} wrong", end="")
    print()


if __name__ == "__main__":
    raise SystemExit(main())
