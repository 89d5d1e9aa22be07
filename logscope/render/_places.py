"""Files and lines as short as they are clear, and how the files of a launch belong together."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

from logscope.render import _wording as words


def with_short_places(report: Mapping[str, Any]) -> Mapping[str, Any]:
    """The report with places as short as they are clear; the inputs keep the names that the user gave.

    `line 424` when all lines are of one file, which the report names once; else paths without their common directory.
    """
    paths = [str(one.get("path", "")) for one in report.get("inputs", ())]
    named = _long_name(paths)
    if named is None:
        return report
    single = len(paths) == 1

    def walk(value: Any) -> Any:
        if isinstance(value, Mapping):
            kept = {name: m if name in ("text", "series") else walk(m) for name, m in value.items()}
            return {**kept, "path": ""} if single and "line" in value and value.get("path") == paths[0] else kept
        if isinstance(value, (list, tuple)):
            return [walk(item) for item in value]
        return named.sub("line " if single else "", value) if isinstance(value, str) else value

    return {name: value if name in ("inputs", "excerpts") else walk(value) for name, value in report.items()}


def _long_name(paths: Sequence[str]) -> re.Pattern[str] | None:
    """What is left out of a text: `server.log:` before a number, or the directory that all files share."""
    if len(paths) == 1:
        return re.compile(rf"(?<![\w/.]){re.escape(paths[0])}:(?=\d)" if len(paths[0]) > 3 else r"(?!)")
    folders = [path.split("/")[:-1] for path in paths]
    steps = takewhile(lambda step: len(set(step)) == 1, zip(*folders, strict=False))
    directory = "/".join(step[0] for step in steps)
    return re.compile(rf"(?<![\w/.]){re.escape(directory)}/(?=[^/])") if directory else None


def files_of(launch: Mapping[str, Any]) -> list[str]:
    """Why the files of a launch are one launch, how their clocks differ, and which files are not of it and why."""
    said = [words.prose(launch["joined_because"])] if launch.get("joined_because") else []
    for one in launch.get("clock_offsets") or ():
        path, against, ahead = words.prose(one["path"]), words.prose(one["against"]), _ahead(one["lo_s"], one["hi_s"])
        said.append(f"the clock of {path} is {ahead} that of {against}: {words.prose(one['why'])}")
    apart = launch.get("kept_apart") or ()
    return said + [f"not {words.prose(one['path'])}: {words.prose(one['why'])}" for one in apart]


def _ahead(lo_s: float, hi_s: float) -> str:
    """`0 to 3 s ahead of`, `2 s behind`, `between 2 s behind and 1 s ahead of`."""
    if lo_s < 0 < hi_s:
        return f"between {words.number(-lo_s)} s behind and {words.number(hi_s)} s ahead of"
    if lo_s >= 0:
        return f"{words.span(lo_s, hi_s)} s ahead of"
    return f"{words.span(-hi_s, -lo_s)} s behind"
