"""An error becomes one line on stderr and an exit code; with LOGSCOPE_DEBUG set, the traceback is shown as well."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import traceback
from collections.abc import Iterable
from difflib import get_close_matches

import click

from logscope.errors import InputError, LogscopeError, OutputError, UsageError

FINDINGS, USAGE, UNREADABLE, SOME_FAILED, INTERRUPTED = 1, 2, 3, 4, 130
BROKEN_PIPE = 141  # what a shell reports of any program whose reader went away
INTERNAL = 70  # EX_SOFTWARE of sysexits.h: a defect of logscope itself, told apart from findings


def complain(message: str) -> None:
    """One line on stderr."""
    click.echo(f"logscope: {' '.join(message.split())}", err=True)


def tell_damage(damage: Iterable[tuple[str, str]]) -> bool:
    """One line on stderr for each input (path, what broke it off) that could be read only in part; whether any was."""
    told = [f"{path}: {why}" for path, why in damage if why]
    for message in told:
        complain(message)
    return bool(told)


class _Complaints(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        complain(record.getMessage())


def tell_warnings() -> None:
    """Say on stderr what the library logs as a warning: it never prints itself."""
    logging.getLogger("logscope").addHandler(_Complaints(logging.WARNING))


def exit_code(error: LogscopeError) -> int:
    """The exit code that the design gives to an error."""
    match error:
        case InputError():
            return UNREADABLE
        case UsageError() | OutputError():
            return USAGE
        case _:
            return FINDINGS


def heed_interruptions() -> None:
    """Hear Ctrl-C also where Python can only print what it raises, as it does inside a finalizer."""
    sys.unraisablehook = _unraisable


def _unraisable(lost: sys.UnraisableHookArgs) -> None:
    if not issubclass(lost.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(lost)
    elif not sys.is_finalizing():
        main = threading.main_thread().ident
        threading.Timer(
            0.01, signal.pthread_kill, (main, signal.SIGINT)
        ).start()  # now, it would be lost like the first


def guarded(command: click.Command, arguments: list[str] | None = None) -> int:  # noqa: PLR0911  one a kind of end
    """Run a command and return its exit code; whatever it raises is answered here."""
    try:
        outcome = command.main(arguments, prog_name="logscope", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Abort:
        return _interrupted()
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return USAGE
    except click.ClickException as error:
        return _usage(error)
    except KeyboardInterrupt:
        return _interrupted()
    except BrokenPipeError:
        return _to_nowhere(BROKEN_PIPE)
    except SystemExit as leave:  # click exits by itself with 1 for a broken pipe, and with 0 after shell completion
        return _to_nowhere(BROKEN_PIPE) if leave.code == 1 else int(leave.code or 0)
    except LogscopeError as error:
        _trace()
        complain(str(error))
        return exit_code(error)
    except OSError as error:
        _trace()
        complain(f"{error.filename}: {error.strerror}" if error.filename else f"{error.strerror or error}")
        return _to_nowhere(USAGE)
    except Exception as error:  # noqa: BLE001  a defect of logscope must not look like a finding about the log
        _trace()
        complain(f"internal error, {type(error).__name__}: {error} (set LOGSCOPE_DEBUG=1 for the traceback)")
        return INTERNAL
    return outcome if isinstance(outcome, int) else 0


def _usage(error: click.ClickException) -> int:
    path = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "logscope"
    said = _no_option(error) if isinstance(error, click.NoSuchOption) else error.format_message()
    complain(f"{said.rstrip('.')}; see {path} --help")
    return USAGE


def _no_option(error: click.NoSuchOption) -> str:
    """What is wrong, and what was meant: click compares the dashes too, by which any two options are alike."""
    by_name = {name.strip("-"): name for name in error.possibilities or ()}
    alike = [by_name[name] for name in get_close_matches(error.option_name.strip("-"), by_name)]
    return f"no such option {error.option_name}" + f"; did you mean {' or '.join(alike)}?" * bool(alike)


def _interrupted() -> int:
    complain("interrupted")
    return INTERRUPTED


def _trace() -> None:
    if os.environ.get("LOGSCOPE_DEBUG"):
        traceback.print_exc()


def _to_nowhere(code: int) -> int:
    """Point stdout to nowhere, or the interpreter complains when it exits about what it cannot write."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code
