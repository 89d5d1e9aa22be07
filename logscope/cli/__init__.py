"""The command line: one command = one file of this folder, whose function of the same name is the command.

`logscope.cli.tables.tables` is `logscope tables`. Importing a command imports click and nothing heavier; what a
command needs it imports when it runs, so that `logscope --help` stays within 0.15 s. Results go to stdout, the rest
to stderr.

Exit codes: 0 nothing at or above `--fail-on`, 1 findings, 2 usage, 3 nothing recognised or unreadable, 4 some
inputs failed, 130 interrupted.
"""

from __future__ import annotations

import functools
import gc
import importlib
import os
from pathlib import Path
from typing import NoReturn

import click


class CommandFolder(click.Group):
    """The commands are the modules of this package; each is imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  the signature is click's
        return list(_commands())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  as above
        if cmd_name not in _commands():
            return None
        command = getattr(importlib.import_module(f"{__name__}.{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)
        return command


@functools.cache
def _commands() -> tuple[str, ...]:
    names = (entry.name for entry in os.scandir(Path(__file__).parent))
    return tuple(sorted(name[:-3] for name in names if name.endswith(".py") and not name.startswith("_")))


def _show_version(ctx: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from logscope.version import VERSION

        click.echo(f"logscope {VERSION}")
        ctx.exit()


@click.group(cls=CommandFolder, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version, help="Print the version."
)
@click.pass_context
def logscope(context: click.Context) -> None:
    """Log forensics and postmortems for the SGLang inference server.

    Start with: logscope analyze crash.log
    """
    from logscope.cli._settings import anything, default_map

    if context.invoked_subcommand != "config" and anything():  # `config` has to tell what is wrong with a file
        context.default_map = default_map(logscope)


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run one command and exit with its code; an error is one line on stderr, never a traceback."""
    from logscope.cli._failure import guarded, heed_interruptions, tell_warnings
    from logscope.cli._signs import spell_signs
    from logscope.cli._streams import fill_closed
    from logscope.without_pandas import keep_out_pandas

    fill_closed()
    spell_signs()
    heed_interruptions()
    tell_warnings()
    keep_out_pandas()
    gc.set_threshold(300_000)  # tables are freed by reference counts; a small log ends before the first look for cycles
    raise SystemExit(guarded(logscope, arguments))
