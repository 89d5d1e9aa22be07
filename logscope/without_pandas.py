"""pandas, kept out of the processes of the command line.

pyarrow imports pandas, where it is installed, as soon as it converts any list, to ask whether the list is a data
frame. That takes longer than analysing a small log, and no command needs it: their tables stay in Arrow. The
library is not touched, so `table.to_pandas()` works for whoever imports logscope.
"""

from __future__ import annotations

import sys


class _Absent:
    """A finder that says of pandas what the import system says of a package that is not installed."""

    def find_spec(self, name: str, *_: object) -> None:
        if name == "pandas":
            raise ModuleNotFoundError("pandas is not loaded on the command line", name=name)


def keep_out_pandas() -> None:
    """Make `import pandas` fail in this process, unless it has happened already."""
    if "pandas" not in sys.modules and not any(isinstance(finder, _Absent) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Absent())
