"""`logscope redact`: the same log without prompts, secrets, names of people and machines."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from logscope.cli._failure import SOME_FAILED, complain, tell_damage
from logscope.cli._output import Target, output_option
from logscope.cli._spare import spare
from logscope.errors import OutputError, UsageError

if TYPE_CHECKING:
    from logscope.redact import Redactor, Streams
    from logscope.source import Source


@click.command(short_help="Write LOG masked, with names replaced by pseudonyms.")
@click.argument("logs", nargs=-1, required=True, metavar="LOG…")
@output_option
@click.option("--keep", multiple=True, metavar="KIND", help="Leave this kind: ip, host, user, request_id. Repeatable.")
@click.option("--model-paths", is_flag=True, help="Replace the paths and names of models too.")
@click.option(
    "--show-prompts", is_flag=True, help="Keep prompts, outputs and secrets; names are replaced all the same."
)
def redact(
    logs: tuple[str, ...], output: Target | None, keep: tuple[str, ...], model_paths: bool, show_prompts: bool
) -> int:
    """Write LOG with prompts and secrets masked and names replaced by pseudonyms.

    The same name becomes the same pseudonym in all files, and the result parses to the same tables. A summary of what
    was replaced goes to stderr. Several LOGs need a directory.
    """
    from logscope.redact import DEFAULT_KINDS, KINDS, Redactor, Streams
    from logscope.source import sources

    unknown = sorted(set(keep) - set(KINDS))
    if unknown:
        raise UsageError(f"--keep {unknown[0]!r} is no kind; there are {', '.join(KINDS)}")
    inputs = sources(logs)
    if len(inputs) > 1 and (output is None or output.path.is_file()):
        raise UsageError(f"{len(inputs)} logs need a directory: add -o DIR")
    kinds = [kind for kind in (*DEFAULT_KINDS, *(["model_path"] if model_paths else [])) if kind not in keep]
    redactor, streams = Redactor(kinds), Streams()
    for source in inputs:
        for text in _texts(source):
            redactor.learn(text)
    for source, target in zip(inputs, _targets(inputs, output, redactor), strict=True):
        _write(target, _redacted(source, redactor, None if show_prompts else streams))
    counts = {**streams.masked, **redactor.replaced}
    said = ", ".join(f"{number} {kind.replace('_', ' ')}" for kind, number in sorted(counts.items()) if number)
    complain(f"replaced {said}" if said else "nothing had to be replaced")
    return SOME_FAILED if tell_damage((source.path, source.damage) for source in inputs) else 0


def _texts(source: Source) -> Iterator[str]:
    return (block.data.decode("utf-8", "surrogateescape") for block in source.blocks())


def _redacted(source: Source, redactor: Redactor, streams: Streams | None) -> Iterator[bytes]:
    from logscope.redact import redacted

    texts = _texts(source)
    shown = redacted(texts, redactor, streams) if streams else map(redactor.replace, texts)
    return (text.encode("utf-8", "surrogateescape") for text in shown)


def _targets(inputs: list[Source], output: Target | None, redactor: Redactor) -> list[Path | None]:
    """Where each log goes; a file's name may name a person or a host too. Never over an input, nor two in one place."""
    if output is None:
        return [None]
    if len(inputs) == 1 and not output.directory:
        targets = [output.path]
    else:
        output.path.mkdir(parents=True, exist_ok=True)
        targets = [output.path / _plain_name(redactor.text(Path(source.path).name)) for source in inputs]
    spare([source.place for source in inputs], *targets)
    if len(set(targets)) < len(targets):
        raise UsageError("two of the logs have the same name; redact them one by one")
    return list(targets)


def _plain_name(name: str) -> str:
    """The name of what is written, which is not compressed any more."""
    name = "stdin.log" if name == "-" else name
    for suffix in (".gz", ".zst", ".xz", ".bz2", ".lz4"):
        name = name.removesuffix(suffix)
    return name


def _write(target: Path | None, pieces: Iterator[bytes]) -> None:
    if target is None:
        sys.stdout.buffer.writelines(pieces)
        sys.stdout.buffer.flush()
        return
    try:
        with target.open("wb") as file:
            file.writelines(pieces)
    except OSError as error:
        raise OutputError(f"{target}: cannot be written: {error.strerror}") from error
