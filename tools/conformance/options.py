"""What each comparison is asked for: which releases, how large a sample, and whether to write its page."""

from __future__ import annotations

import argparse
from pathlib import Path

from logscope.sglang.releases import RELEASES, order

ROOT = Path(__file__).resolve().parents[2]
SHORT = (
    *("0.1.26", "0.3.6", "0.4.1", "0.4.6", "0.4.7", "0.4.8"),
    *("0.5.3", "0.5.9", "0.5.10", "0.5.14", "0.5.19", "0.5.23"),
)


def asked(doc: str, page: Path, *, count: int | None = None) -> argparse.Namespace:
    """The options; `releases` are those to compare, oldest first. `count` is the sample's size, where one is drawn."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--short", action="store_true", help="twelve releases, one of each era")
    which.add_argument("--releases", help="names, separated by commas; every listed release by default")
    if count is not None:
        parser.add_argument("--count", type=int, default=count, help="configurations a release")
    parser.add_argument("--write", action="store_true", help=f"write {page.relative_to(ROOT)}")
    said = parser.parse_args()
    chosen = said.releases.split(",") if said.releases else SHORT if said.short else RELEASES
    said.releases = sorted(chosen, key=order)
    return said
