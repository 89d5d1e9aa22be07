"""Settings: what the options of commands are when the command line does not say, and where each value comes from.

Precedence: command line, environment (`LOGSCOPE_ANALYZE_FAIL_ON`, then `LOGSCOPE_FAIL_ON`), `./logscope.toml`, the
user's `$XDG_CONFIG_HOME/logscope/config.toml`. In a file, the table of a command goes before keys outside of tables,
which are for all commands that have such an option.

A file in the current directory may come with somebody's logs: it can set nothing that runs, sends, reveals or writes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from logscope.errors import UsageError

PROJECT = "logscope.toml"
PREFIX = "LOGSCOPE_"
_MOST_BYTES = 1 << 20
_TEXTS_FOR_ALL = {"format", "tz", "include", "exclude", "max_memory"}  # options of free text that can do no harm
_REVEALING = {"show_prompts", "show_secrets"}
_PROTECTING = {"redact", "redact_models", "model_paths"}  # such a file may turn these on, never off

Options = Mapping[str, Mapping[str, click.Option]]


@dataclass(frozen=True, slots=True)
class Setting:
    """The value of one option of one command, and where it comes from."""

    command: str
    key: str
    value: Any
    origin: str


@dataclass(frozen=True, slots=True)
class _Given:
    """One value as it was written: for one command, or with command "" for all that have the option."""

    command: str
    key: str
    value: Any
    origin: str


def user_file() -> Path:
    """Where the user's own settings are."""
    home = os.environ.get("XDG_CONFIG_HOME", "")
    # Not by pathlib: it raises for a user without a home, and for a home that may not be entered, as in containers.
    root = home if os.path.isabs(home) else os.path.expanduser("~/.config")  # noqa: PTH111, PTH117
    return Path(root) / "logscope" / "config.toml"


def project_file() -> Path:
    """Where the settings of the current directory are."""
    return Path(PROJECT)


def anything() -> bool:
    """Whether any setting may be there: cheap, for it is asked at every start."""
    files = any(os.path.isfile(path) for path in (user_file(), project_file()))  # noqa: PTH113  see user_file
    return files or any(name.startswith(PREFIX) for name in os.environ)


def options_of(group: click.Group) -> Options:
    """The options of every command by key: `--fail-on` is `fail_on`."""
    context = click.Context(group)
    commands = {name: group.get_command(context, name) for name in group.list_commands(context)}
    return {
        name: {_key(option): option for option in command.params if isinstance(option, click.Option)}
        for name, command in commands.items()
        if command is not None and not isinstance(command, click.Group)
    }


def _key(option: click.Option) -> str:
    return max(option.opts, key=len).lstrip("-").replace("-", "_")


def default_map(group: click.Group) -> dict[str, dict[str, Any]]:
    """What click takes where the command line is silent; raises UsageError for a setting that cannot be."""
    options = options_of(group)
    found: dict[str, dict[str, Any]] = {}
    for setting in settings(options):
        name = options[setting.command][setting.key].name
        found.setdefault(setting.command, {})[name or setting.key] = setting.value
    return found


def settings(options: Options) -> Iterator[Setting]:
    """All values that are set, the one that counts for each option of each command."""
    layers = [_of_environment(options), *(_of_file(path, options) for path in (project_file(), user_file()))]
    done: set[tuple[str, str]] = set()
    for layer in layers:
        for given in sorted(layer, key=lambda one: not one.command):
            for setting in _applied(given, options):
                if (setting.command, setting.key) not in done:
                    done.add((setting.command, setting.key))
                    yield setting


def _applied(given: _Given, options: Options) -> list[Setting]:
    """The setting for each command that it is meant for; what is meant for all must fit at least one."""
    commands = [given.command] if given.command else [name for name, own in options.items() if given.key in own]
    found, wrong = [], ""
    for command in commands:
        option = options[command][given.key]
        try:
            value = _checked(option, given.value)
        except click.UsageError as error:
            wrong = error.message
            continue
        found.append(Setting(command, given.key, value, given.origin))
    if not found:
        place = f"[{given.command}] " if given.command else ""
        raise UsageError(f"{given.origin}: {place}{given.key} = {given.value!r}: {wrong.rstrip('.')}")
    return found


def _checked(option: click.Option, value: Any) -> Any:
    """The value as click takes it; raises click.UsageError when the option does not."""
    if option.multiple:
        value = value if isinstance(value, list) else [value]
    if isinstance(value, dict) or (isinstance(value, list) and not option.multiple):
        raise click.BadParameter("one value is expected here")
    if option.is_flag and not isinstance(value, bool | str):
        raise click.BadParameter("true or false is expected here")
    option.process_value(click.Context(click.Command("settings")), value)
    return value


def _of_environment(options: Options) -> list[_Given]:
    found = []
    for command, own in {"": _of_all(options), **options}.items():
        for key, option in own.items():
            name = PREFIX + "_".join(filter(None, (command, key))).upper()
            if name in os.environ:
                text = os.environ[name]
                found.append(_Given(command, key, text.split(",") if option.multiple else text, name))
    return found


def _of_all(options: Options) -> dict[str, click.Option]:
    return {key: option for own in options.values() for key, option in own.items()}


def _of_file(path: Path, options: Options) -> list[_Given]:
    found = []
    for name, value in _parsed(path).items():
        if isinstance(value, dict):
            if name not in options:
                raise UsageError(f"{path}: [{name}] is no command{_nearest(name, options)}")
            found += [_Given(name, _known(path, key, options[name], name), v, str(path)) for key, v in value.items()]
        else:
            found.append(_Given("", _known(path, name, _of_all(options), ""), value, str(path)))
    if path == project_file():
        for given in found:
            own = options[given.command] if given.command else _of_all(options)
            weakens = given.key in _PROTECTING and given.value is not True
            if weakens or not harmless(given.key, own[given.key]):
                raise UsageError(
                    f"{path}: {given.key} = {given.value!r} can run, send, reveal or write something; set it in "
                    f"{user_file()} or the environment"
                )
    return found


def harmless(key: str, option: click.Option) -> bool:
    """Whether a file that somebody else may have written can set this."""
    free_text = not isinstance(option.type, click.Choice | click.types.IntParamType | click.types.FloatParamType) and (
        not isinstance(option.type, click.types.BoolParamType)
    )
    return key not in _REVEALING and (not free_text or key in _TEXTS_FOR_ALL)


def _known(path: Path, key: str, own: Mapping[str, click.Option], command: str) -> str:
    plain = key.replace("-", "_")
    if plain not in own:
        where = f"`logscope {command}` has no" if command else "no command has an"
        raise UsageError(f"{path}: {where} option {key}{_nearest(plain, own)}")
    return plain


def _nearest(name: str, names: Sequence[str] | Mapping[str, Any]) -> str:
    import difflib

    close = difflib.get_close_matches(name, list(names), n=1, cutoff=0.5)
    return f"; did you mean {close[0]}?" if close else "; `logscope config show` lists them"


def _parsed(path: Path) -> dict[str, Any]:
    if not os.path.isfile(path):  # noqa: PTH113  see user_file
        return {}
    import tomllib

    try:
        with path.open("rb") as opened:
            data = opened.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise UsageError(f"{path}: larger than 1 MiB, which no settings are")
        return tomllib.loads(data.decode())
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path}: is not TOML: {error}") from error
