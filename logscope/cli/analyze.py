"""`logscope analyze`: the logs of one incident in, a postmortem out."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from logscope.cli._failure import FINDINGS, SOME_FAILED, UNREADABLE, complain, tell_damage
from logscope.cli._output import (
    Target,
    check_target,
    chosen_formats,
    formats_option,
    output_option,
    report_paths,
    tell_written,
    write_report,
)
from logscope.cli._spare import spare
from logscope.errors import InputError
from logscope.version import VERSION

if TYPE_CHECKING:
    from logscope import Log

SEVERITIES = ("note", "warning", "error")
QUIET_BYTES = 20 << 20  # what is read within a second needs no progress display


@click.command()
@click.argument("logs", nargs=-1, required=True, metavar="LOG…")
@formats_option
@output_option
@click.option(
    "--fail-on",
    type=click.Choice([*reversed(SEVERITIES), "never"]),
    default="error",
    show_default=True,
    help="Exit with 1 from this severity on.",
)
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever was found.")
@click.option("--since", metavar="TIME", help="Only lines from this time on: 2026-11-29T12:18:30.")
@click.option("--until", metavar="TIME", help="Only lines up to this time.")
@click.option("--tz", metavar="ZONE", help="The time zone of the log's clock: Europe/Berlin, +02:00.")
@click.option("--show-prompts", is_flag=True, help="Keep prompts, outputs and secrets, which are masked otherwise.")
@click.option("--redact", is_flag=True, help="Replace addresses, hosts, users and request ids by pseudonyms.")
@click.option("--redact-models", is_flag=True, help="Replace paths and names of models too.")
@click.option(
    "--bundle", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE.zip", help="Page, comment, JSON, tables."
)
@click.option("--strict", is_flag=True, help="Exit with 4 if a line or a key was not understood.")
def analyze(
    logs: tuple[str, ...],
    formats: tuple[str, ...],
    output: Target | None,
    fail_on: str,
    exit_zero: bool,
    strict: bool,
    redact: bool,
    redact_models: bool,
    bundle: Path | None,
    **reading: Any,
) -> int:
    """Say what happened, which lines prove it, and what to change.

    LOG is a file, a compressed file, a directory, or - for stdin. Several LOGs belong to one incident.
    """
    import logscope
    from logscope.cli._bundle import learned, write_bundle
    from logscope.redact import redact_report

    wanted = chosen_formats(formats, output)
    check_target(wanted, output)
    spare(logs, *report_paths(wanted, output), bundle)
    with _progress(logs):
        log, refused = _opened(logs, reading)
        report = logscope.analyze(log).data if log is not None else _nothing_read(refused)
        redactor = learned(log, model_paths=redact_models) if log is not None and (redact or redact_models) else None
    if redactor is not None:
        report = redact_report(report, redactor)
    if bundle is not None:
        write_bundle(bundle, report, log, redactor=redactor)
        tell_written([bundle])
    if log is not None or wanted != ["text"]:
        write_report(report, formats=wanted, output=output)
    if log is not None and not _of_sglang(report):
        windowed = bool(reading["since"] or reading["until"])
        complain(_unrecognised(report, windowed=windowed))
    damaged = tell_damage((one["path"], one.get("damage", "")) for one in report["inputs"])
    code = outcome(report, fail_on=fail_on, strict=strict, partial=bool(refused) or damaged)
    return 0 if exit_zero and code == FINDINGS else code


def outcome(report: Mapping[str, Any], *, fail_on: str, strict: bool, partial: bool) -> int:
    """The exit code of a report: 3 before 4 before 1; `partial` when an input could not be read, or not to its end."""
    if not _of_sglang(report):
        return UNREADABLE
    if partial:
        return SOME_FAILED
    if strict and _not_understood(report["coverage"]):
        return SOME_FAILED
    levels = SEVERITIES[SEVERITIES.index(fail_on) :] if fail_on != "never" else ()
    return FINDINGS if any(finding["severity"] in levels for finding in report["findings"]) else 0


def _of_sglang(report: Mapping[str, Any]) -> bool:
    """Whether any line is one that SGLang prints."""
    foreign = [launch.get("program", "SGLang") != "SGLang" for launch in report["launches"]]
    return bool(report["coverage"]["recognised"]) and not (foreign and all(foreign))


def _unrecognised(report: Mapping[str, Any], *, windowed: bool) -> str:
    paths = ", ".join(part["path"] for part in report["inputs"])
    lines = report["coverage"]["lines"]
    if not lines:
        return f"{paths}: no line to read"
    if windowed and report["coverage"]["recognised"] and not report["tables"]:
        return f"{paths}: --since and --until leave none of its {lines} lines"
    if report["coverage"]["recognised"]:
        return f"{paths}: {report['verdict']['sentence']}"
    return f"{paths}: none of the {lines} lines is one that SGLang prints; is this the server's log?"


def _not_understood(coverage: Mapping[str, Any]) -> bool:
    """Whether anything was left unread, which is said on stderr."""
    keys = [f"{key['family']} {key['key']}" for key in coverage["unknown_keys"]]
    if coverage["unread"]:
        complain(f"{coverage['unread']} lines were not understood (--strict)")
    if keys:
        complain(f"unknown keys (--strict): {', '.join(keys)}")
    return bool(coverage["unread"] or keys)


def _opened(logs: Sequence[str], reading: Mapping[str, Any]) -> tuple[Log | None, list[InputError]]:
    """The log of all inputs that can be read, and the errors of the others, each said once on stderr."""
    import logscope

    refused: list[InputError] = []
    paths = list(logs)
    while paths:
        try:
            return logscope.open_log(paths, **reading), refused
        except InputError as error:
            bad = paths if len(paths) == 1 else [path for path in paths if _unreadable(path)]
            complain(str(error))
            refused.append(error)
            if not bad:
                raise
            paths = [path for path in paths if path not in bad]
    return None, refused


def _unreadable(path: str) -> bool:
    """Whether this input alone cannot be opened; stdin is not tried, for it can be read only once."""
    import logscope

    if path == "-":
        return False
    try:
        logscope.open_log([path])
    except InputError:
        return True
    return False


def _nothing_read(refused: Sequence[InputError]) -> dict[str, Any]:
    """The report of an incident none of whose logs could be read."""
    counts = ("lines", "recognised", "continuation", "noise", "unread", "undecodable_bytes", "torn")
    return {
        "schema": "logscope.report/1",
        "logscope": VERSION,
        "inputs": [],
        "coverage": dict.fromkeys(counts, 0) | {"unread_templates": [], "unknown_keys": []},
        "launches": [],
        "verdict": {
            "cause": "not_enough_evidence",
            "confidence": "certain",
            "sentence": "No log could be read, so nothing can be said.",
            "fraction": "leave",
            "evidence": [],
            "chain": [],
            "ruled_out": [],
            "missing": [str(error) for error in refused],
            "actions": [],
        },
        "findings": [],
        "held": [],
        "not_checked": [],
        "tables": [],
    }


@contextlib.contextmanager
def _progress(logs: Sequence[str]) -> Iterator[None]:
    """A spinner on stderr while much is read, only on a terminal."""
    size = sum(Path(path).stat().st_size for path in logs if os.path.isfile(path))  # noqa: PTH113  bad names allowed
    if size < QUIET_BYTES or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(f"reading {size / 1e6:,.0f} MB"):
        yield
