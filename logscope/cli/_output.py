"""Where a report goes: which formats, to which files, or to stdout."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from logscope.cli._failure import complain
from logscope.cli._signs import SPELT
from logscope.errors import OutputError, UsageError


def format_names() -> tuple[str, ...]:
    """The formats: the modules of `logscope/render`."""
    from logscope.render import FORMATS

    return FORMATS


def known_formats(_ctx: click.Context, _option: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    """The formats as asked for; refuses a name that no renderer has."""
    names = format_names()
    for name in value:
        if name not in names:
            raise click.BadParameter(f"{name!r} is not a format; there are {', '.join(names)}")
    return value


formats_option = click.option(
    "-f",
    "--format",
    "formats",
    multiple=True,
    metavar="FORMAT",
    callback=known_formats,
    help="Output format, repeatable.",
)


@dataclass(frozen=True, slots=True)
class Target:
    """Where reports go: one file, or a directory that gets a file a format."""

    path: Path
    directory: bool


def _target(_ctx: click.Context, _option: click.Parameter, value: str | None) -> Target | None:
    """The target as it was typed: `out/` is a directory, also when it is not there yet."""
    if value is None or value == "-":  # stdout
        return None
    return Target(Path(value), value.endswith(("/", os.sep)) or Path(value).is_dir())


output_option = click.option("-o", "--output", callback=_target, metavar="FILE|DIR/", help="Where to write it.")


def _file(_ctx: click.Context, _option: click.Parameter, value: Path | None) -> Path | None:
    return None if str(value) == "-" else value  # stdout


file_option = click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    callback=_file,
    metavar="FILE",
    help="Where to write it.",
)


def file_name(form: str) -> str:
    """The name of a report's file inside a directory: `report.html`, `report.trace.json`."""
    from logscope.render import suffix

    return f"report{suffix(form)}"


def chosen_formats(formats: Sequence[str], output: Target | None) -> list[str]:
    """The formats asked for, without repetition; without any, what the suffix of the output says, else text."""
    if formats:
        return list(dict.fromkeys(formats))
    if output is None or output.directory or not output.path.suffix or _is_special(output.path):
        return ["text"]
    named = _named_format(output)
    if named is None:
        raise UsageError(f"{output.path.suffix} is the suffix of no format; choose one of {_listed_formats()} with -f")
    return [named]


def _listed_formats() -> str:
    return ", ".join(format_names())


_OTHER_SUFFIXES = {".htm": "html", ".markdown": "md", ".xml": "junit", ".txt": "text", ".log": "text", ".out": "text"}


def _named_format(output: Target) -> str | None:
    """The format that a file is named for: `report.trace.json` and `report.trace` are traces, `report.json` is JSON."""
    from logscope.render import suffix

    path = Path(output.path.name.lower())
    for name in (ending.lstrip(".") for ending in path.suffixes[-2:]):
        if name in format_names() and (path.suffix == f".{name}" or path.name.endswith(suffix(name))):
            return name
    return _OTHER_SUFFIXES.get(path.suffix)


def _is_special(path: Path) -> bool:
    """Whether something is there that is no file: a device, a named pipe."""
    return path.exists() and not path.is_file()


def check_target(formats: Sequence[str], output: Target | None) -> None:
    """Refuse at once what cannot be written: several formats into one file, a page onto a terminal."""
    many = len(formats) > 1
    if output is None:
        if many:
            raise UsageError(f"{len(formats)} formats need a directory: add -o DIR/")
        if formats == ["html"] and sys.stdout.isatty():
            raise UsageError("a page is not for a terminal: add -o report.html, or send it on with > report.html")
    elif output.directory:
        return
    elif many and (output.path.exists() or _named_format(output)):
        raise UsageError(f"{len(formats)} formats need a directory, and {output.path} is a file: add -o DIR/")
    elif not many and not output.path.parent.is_dir():
        raise OutputError(f"{output.path} cannot be written: there is no directory {output.path.parent}")


def write_report(report: Mapping[str, Any], *, formats: Sequence[str], output: Target | None) -> None:
    """Render the report in each format and write it to its place; the paths of written files go to stderr."""
    from logscope.render import render

    if output is None:
        coloured = sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
        to_stdout(render(report, formats[0], width=_width(), color=coloured))
        return
    paths = report_paths(formats, output)
    if output.directory or len(formats) > 1:
        output.path.mkdir(parents=True, exist_ok=True)
    for form, path in zip(formats, paths, strict=True):
        write_file(path, render(report, form, width=100, color=False))
    tell_written(paths)


def report_paths(formats: Sequence[str], output: Target | None) -> list[Path]:
    """The files that a report becomes; none where it goes to stdout."""
    if output is None:
        return []
    directory = output.directory or len(formats) > 1
    return [output.path / file_name(form) if directory else output.path for form in formats]


def tell_written(paths: Sequence[Path]) -> None:
    """One line on stderr that says which files were made; a device or a pipe is none."""
    made = [str(path) for path in paths if path.is_file()]
    if made:
        complain(f"wrote {', '.join(made)}")


def write_file(path: Path, content: str | bytes) -> None:
    """Write the text beside the target and move it into place, so that no half report is ever found there."""
    data = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
    if _is_special(path):
        path.write_bytes(data)
        return
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        draft.write_bytes(data)
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise OutputError(f"{path} cannot be written: {error.strerror}") from error


def to_stdout(content: str | bytes) -> None:
    """Print as it is; what the encoding of stdout lacks is spelt."""
    if isinstance(content, str):
        ending = "" if content.endswith("\n") else "\n"
        content = (content + ending).encode(sys.stdout.encoding or "utf-8", SPELT)
    sys.stdout.flush()
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()


def _width() -> int:
    """The width of the terminal; 100 columns when piped, so that the same input gives the same bytes."""
    import shutil

    return min(shutil.get_terminal_size((100, 24)).columns, 140) if sys.stdout.isatty() else 100
