"""Source files of an SGLang release, read from its wheel, which is fetched once with pip and kept outside the tree.

The folder is `$LOGSCOPE_WHEELS`, else `~/.cache/logscope/wheels`.
"""

from __future__ import annotations

import ast
import functools
import os
import subprocess
import sys
import zipfile
from pathlib import Path


def folder() -> Path:
    """Where the wheels are kept."""
    home = os.environ.get("LOGSCOPE_WHEELS") or Path.home() / ".cache" / "logscope" / "wheels"
    return Path(home)


@functools.cache
def wheel(release: str) -> Path:
    """The wheel of a release; fetched when it is not in the folder."""
    found = sorted(folder().glob(f"sglang-{release}-*.whl"))
    if not found:
        folder().mkdir(parents=True, exist_ok=True)
        options = ["--quiet", "--no-deps", "--only-binary=:all:", "--dest", str(folder())]
        subprocess.run([sys.executable, "-m", "pip", "download", *options, f"sglang=={release}"], check=True)
        found = sorted(folder().glob(f"sglang-{release}-*.whl"))
    return found[0]


def members(release: str, prefix: str = "sglang/srt/") -> list[str]:
    """The Python files of a release below a path."""
    with zipfile.ZipFile(wheel(release)) as archive:
        return [name for name in archive.namelist() if name.startswith(prefix) and name.endswith(".py")]


@functools.lru_cache(maxsize=256)
def text(release: str, member: str) -> str:
    """The source of one file; raises KeyError when the release has none of that name."""
    with zipfile.ZipFile(wheel(release)) as archive:
        return archive.read(member).decode()


@functools.lru_cache(maxsize=64)
def tree(release: str, member: str) -> ast.Module:
    """The syntax tree of one file."""
    return ast.parse(text(release, member))
