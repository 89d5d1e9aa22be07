"""No command writes over a log: it may be the only copy of what happened."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from logscope.errors import UsageError


def spare(logs: Iterable[str], *targets: Path | None) -> None:
    """Raise UsageError where a target is one of these logs, by whatever name, or one inside these directories."""
    made = [target for target in targets if target is not None and target.is_file()]
    if not made:
        return
    for log in _files(logs):
        for target in made:
            if target.samefile(log):
                raise UsageError(f"{target} is the log itself; choose another place with -o")


def _files(logs: Iterable[str]) -> Iterator[Path]:
    from logscope.compression import Limits
    from logscope.encoding import HEAD_BYTES
    from logscope.inputs import files_of, looks_like_log
    from logscope.starts import named

    for name in logs:
        path = Path(named(name).path)
        if path.is_file():
            yield path
        elif path.is_dir():
            for inside in map(Path, files_of(str(path), Limits().directory_files)):
                with inside.open("rb") as stream:
                    if looks_like_log(str(inside), stream.read(HEAD_BYTES)):
                        yield inside
