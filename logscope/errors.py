"""Every exception of logscope, drawn as a tree.

    LogscopeError
    ├── InputError            an input cannot be read as asked
    │   ├── LogNotFound       the path does not exist
    │   ├── LogUnreadable     it exists and cannot be opened, decoded or decompressed
    │   ├── LogRefused        it is not a log file: a directory where a file is asked for, a device, a bomb
    │   └── ReportUnreadable  it is not a logscope report, or of a version that is not known
    ├── UsageError            the call itself is wrong: a format, an expression, a name that does not exist
    ├── OutputError           an output cannot be written
    └── NotChecked            a rule or a fact cannot be judged, and why
        ├── FactMissing       the log does not print what is asked for
        └── NotApplicable     the relation does not hold for this device, release or model
            └── ReleaseDiffers    the releases that may have printed the log answer differently

A message says what was asked, what was found, and what to do.
"""

from __future__ import annotations


class LogscopeError(Exception):
    """The root of all errors that logscope raises on purpose."""


class InputError(LogscopeError):
    """An input cannot be read as asked."""


class LogNotFound(InputError):
    """The path does not exist."""


class LogUnreadable(InputError):
    """The input exists and cannot be opened, decoded or decompressed."""


class LogRefused(InputError):
    """The input is not something that logscope reads: a device, a bomb, a path out of the tree."""


class ReportUnreadable(InputError):
    """The file is not a logscope report, or of a version that is not known."""


class UsageError(LogscopeError):
    """The call is wrong: an unknown format, expression or name."""


class OutputError(LogscopeError):
    """An output cannot be written."""


class NotChecked(LogscopeError):
    """A rule or a fact cannot be judged; the message says why."""


class FactMissing(NotChecked):
    """The log does not print what is asked for."""


class NotApplicable(NotChecked):
    """The relation does not hold for this device, release or model."""


class ReleaseDiffers(NotApplicable):
    """The releases that may have printed the log answer differently; `turns` are those at which the answer changes."""

    def __init__(self, message: str, turns: tuple[str, ...]) -> None:
        super().__init__(message)
        self.turns = turns
