"""`logscope diff`: two starts side by side, and what the change of the pool comes from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from logscope.cli._output import file_option
from logscope.cli._spare import spare

if TYPE_CHECKING:
    from logscope.compare import Side
    from logscope.starts import Start


@click.command()
@click.argument("a", metavar="A[#LAUNCH[/RANK]]")
@click.argument("b", required=False, metavar="B[#LAUNCH[/RANK]]")
@click.option("-f", "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@file_option
def diff(a: str, b: str | None, form: str, output: Path | None) -> int:
    """Compare two logs, two launches of one log, or two ranks.

    A and B are logs, launches (crash.log#1) or ranks (crash.log#1/TP3). A single log with several launches compares its
    first with its last.
    """
    from logscope import compare
    from logscope.cli._sheets import comparison_text, written
    from logscope.cli._starts import pair
    from logscope.divergence import first_divergence

    spare([a, b or a], output)
    left, right = pair(a, b)
    result = compare.comparison(_side(left), _side(right))
    divergence = first_divergence(left.rank, right.rank)
    if divergence:
        result["first_divergence"] = divergence
    written(result, form=form, text=comparison_text, output=output)
    return 0


def _side(start: Start) -> Side:
    from logscope.compare import Side
    from logscope.facts.rewritten import rewritten

    changed = {name: one.before for name, one in rewritten(start.rank.launch).items()}
    return Side(start.name, start.facts, start.setting, start.arguments, changed)
