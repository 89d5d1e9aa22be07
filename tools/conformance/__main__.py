"""Hold logscope against SGLang's own packages: lines, budgets and pools of every release.

    python tools/conformance [--short | --release 0.5.23 | --newest] [--write]

Exit 1 when a line is not read back as it was printed, or a size differs from what the release computes.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("lines", "sizing", "pool")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--short", action="store_true", help="twelve releases, one of each era")
    which.add_argument("--release", default="", help="one release, also one that nobody has seen yet")
    which.add_argument("--newest", action="store_true", help="the newest release on the index: how drift is found")
    parser.add_argument("--write", action="store_true", help="write the pages of the documentation")
    say = parser.parse_args()
    release = newest() if say.newest else say.release
    options = ["--releases", release] if release else ["--short"] if say.short else []
    options += ["--write"] if say.write else []
    failed = []
    for part in PARTS:
        print(f"== {part}", flush=True)
        command = [sys.executable, "-m", f"tools.conformance.{part}", *options]
        if subprocess.run(command, cwd=ROOT, check=False).returncode:
            failed.append(part)
    print(f"conformance: {'failed: ' + ', '.join(failed) if failed else 'all hold'}")
    return 1 if failed else 0


def newest() -> str:
    """The newest release that the package index offers."""
    command = [sys.executable, "-m", "pip", "index", "versions", "sglang"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return said.partition("(")[2].partition(")")[0]


if __name__ == "__main__":
    raise SystemExit(main())
