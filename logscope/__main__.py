"""`python -m logscope` and the command `logscope`."""

from __future__ import annotations

from logscope.cli import main

__all__ = ["main"]

if __name__ == "__main__":
    main()
