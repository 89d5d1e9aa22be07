"""`logscope explain`: the documentation of one rule, cause, event family, wrapper or program."""

from __future__ import annotations

import click

from logscope.cli._output import to_stdout
from logscope.errors import UsageError

KINDS = {"rules": "rule", "causes": "cause", "events": "table", "wrappers": "wrapper", "noise": "noise"}


@click.command()
@click.argument("name", metavar="CODE|CAUSE|TABLE")
def explain(name: str) -> None:
    """Print what a rule, a cause or a table is.

    For example MEM101, forward_out_of_memory, decode_batch.
    """
    told = documentation(name)
    titles = [f"{unit} ({kind})" for unit, kind, _ in told]
    to_stdout("\n\n".join(f"{t}\n{'=' * len(t)}\n\n{text}" for t, (_, _, text) in zip(titles, told, strict=True)))


def documentation(name: str) -> list[tuple[str, str, str]]:
    """Name, kind and docstring of the units of that name or code; raises `UsageError` with near names otherwise."""
    import difflib
    import inspect

    from logscope.discover import units

    known: dict[str, list[tuple[str, str, str]]] = {}
    for collection, kind in KINDS.items():
        for unit, module in units(f"logscope.{collection}").items():
            entry = (unit, kind, inspect.getdoc(module) or "")
            known.setdefault(unit, []).append(entry)
            if kind == "rule":
                known.setdefault(unit.partition("_")[0], []).append(entry)
    if name.lower() in known:
        return known[name.lower()]
    near = difflib.get_close_matches(name.lower(), known, n=3)
    hint = f"did you mean {' or '.join(near)}?" if near else "`logscope rules` lists the rules"
    raise UsageError(f"nothing is called {name!r}; {hint}")
