"""`logscope config`: what options are when the command line is silent, where that comes from, and a file to fill in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from logscope.errors import OutputError, UsageError

_HEAD = """# Settings of logscope. The command line goes before, and so does the environment: LOGSCOPE_ANALYZE_FAIL_ON,
# LOGSCOPE_FAIL_ON. Keys above the first [command] are for all commands that have such an option.
"""


@click.group(invoke_without_command=True, short_help="Show the settings and where each comes from.")
@click.pass_context
def config(context: click.Context) -> int | None:
    """Show the settings and where each comes from, their files, or begin one."""
    return show.callback(None) if context.invoked_subcommand is None and show.callback else None


@config.command()
@click.argument("command", required=False)
def show(command: str | None) -> int:
    """Every option of every command (or of COMMAND): its value, and where that comes from."""
    from logscope.cli._settings import options_of, settings

    options = options_of(_root())
    if command is not None and command not in options:
        raise UsageError(f"{command!r} is no command; there are {', '.join(options)}")
    found = {(setting.command, setting.key): setting for setting in settings(options)}
    for name, own in options.items():
        if not own or command not in (None, name):
            continue
        click.echo(f"[{name}]")
        for key, option in own.items():
            setting = found.get((name, key))
            value = setting.value if setting else _default(option)
            click.echo(f"{key:<18} {_shown(key, value):<24} {setting.origin if setting else 'default'}".rstrip())
        click.echo()
    return 0


@config.command()
def path() -> int:
    """The files that are read, the one that counts more first."""
    from logscope.cli._settings import project_file, user_file

    for file in (project_file().absolute(), user_file()):
        click.echo(f"{file}{'' if file.is_file() else '  (not there)'}")
    return 0


@config.command()
@click.option("--project", is_flag=True, help="Here (./logscope.toml), not for the user.")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
def init(project: bool, force: bool) -> int:
    """Write a file in which every setting stands as a comment."""
    from logscope.cli._settings import project_file, user_file

    target = project_file() if project else user_file()
    if target.exists() and not force:
        raise UsageError(f"{target} is there already; --force replaces it")
    _write(target, _HEAD + "".join(_sections(project=project)))
    click.echo(str(target))
    return 0


def _write(target: Path, text: str) -> None:
    from logscope.cli._output import write_file

    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{target.parent} cannot be made: {error.strerror}") from error
    write_file(target, text)


def _sections(*, project: bool) -> Iterator[str]:
    from logscope.cli._settings import harmless, options_of

    for name, own in options_of(_root()).items():
        lines = [
            f"# {key} = {_toml(option)}  # {option.help or ''}".rstrip(" #")
            for key, option in own.items()
            if not project or harmless(key, option)
        ]
        if lines:
            yield "\n".join(["", f"[{name}]", *lines, ""])


def _root() -> click.Group:
    root = click.get_current_context().find_root().command
    assert isinstance(root, click.Group)
    return root


def _default(option: click.Option) -> Any:
    with click.Context(click.Command("settings")) as context:
        return option.get_default(context)


def _shown(key: str, value: Any) -> str:
    """A value for people; of a URL only the host, for the rest may be a secret."""
    if value is None or value == () or str(value).startswith("Sentinel."):
        return "-"
    if key == "post" and "//" in str(value):
        scheme, _, rest = str(value).partition("//")
        return f"{scheme}//{rest.partition('/')[0].rpartition('@')[2]}/…"
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _toml(option: click.Option) -> str:
    value = _default(option)
    if option.multiple:
        return "[]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return str(value)
    return '""' if _shown("", value) == "-" else f'"{value}"'
