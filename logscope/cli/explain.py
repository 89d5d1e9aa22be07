"""`logscope explain`: the documentation of one rule, cause, event family or wrapper."""

from __future__ import annotations

import click

from logscope.cli._output import to_stdout
from logscope.errors import UsageError

COLLECTIONS = ("rules", "causes", "events", "wrappers", "noise")


@click.command()
@click.argument("name", metavar="CODE|CAUSE|FAMILY")
def explain(name: str) -> None:
    """Print what a rule, a cause or an event family is.

    For example MEM101, forward_out_of_memory, decode_batch.
    """
    to_stdout(f"{name}\n{'=' * len(name)}\n\n{documentation(name)}")


def documentation(name: str) -> str:
    """The docstring of the unit of that name or code; raises `UsageError` with the nearest names otherwise."""
    import difflib
    import inspect

    from logscope.discover import units

    known: dict[str, str] = {}
    for collection in COLLECTIONS:
        for unit, module in units(f"logscope.{collection}").items():
            text = inspect.getdoc(module) or ""
            known.setdefault(unit, text)
            if collection == "rules":
                known.setdefault(unit.partition("_")[0], text)
    wanted = name.lower()
    if wanted in known:
        return known[wanted]
    near = difflib.get_close_matches(wanted, known, n=3)
    hint = f"did you mean {' or '.join(near)}?" if near else "`logscope rules` lists the rules"
    raise UsageError(f"nothing is called {name!r}; {hint}")
