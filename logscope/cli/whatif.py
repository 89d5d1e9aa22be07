"""`logscope whatif`: what another flag would have done, on the same machine at the same moment."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import click

from logscope.cli._output import file_option
from logscope.cli._spare import spare


@click.command(short_help="Predict a start with other flags by what SGLang computes.")
@click.argument("log", metavar="LOG[#LAUNCH[/RANK]]")
@click.option("--set", "texts", multiple=True, metavar="FLAG=VALUE", help="Another value of a flag, repeatable.")
@click.option("--sweep", metavar="FLAG=FROM:TO:STEP", help="One row a value of a flag.")
@click.option("--solve", metavar="CONDITION", help="The range of a flag that fulfils it: 'pool >= 400000'.")
@click.option("--over", metavar="FLAG", default="mem_fraction_static", show_default=True, help="The flag of --solve.")
@click.option("--context", type=float, metavar="TOKENS", help="The context length to ask the concurrency for.")
@click.option("-f", "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@file_option
def whatif(log: str, form: str, output: Path | None, **asked: Any) -> int:
    """Reproduce a start by what SGLang computes, then predict it with other flags.

    Without a number the launch is the one that the verdict is about. Exit code 1 says that the start would be refused
    or run out of device memory, or that no value fulfils the condition of --solve.
    """
    from logscope.cli._sheets import prediction_text, written

    spare([log], output)
    answer = _answer(log, **asked)
    written(answer, form=form, text=prediction_text, output=output)
    unsolved = "solved" in answer and "possible" not in answer["solved"]
    return 1 if answer["refused"] or answer["exhaustion"] == "yes" or unsolved else 0


def _answer(
    log: str, *, texts: tuple[str, ...], sweep: str | None, solve: str | None, over: str, context: float | None
) -> dict[str, Any]:
    from logscope import condition, whatif
    from logscope.cli._starts import opened
    from logscope.errors import NotChecked
    from logscope.flag_range import solved_for_flag
    from logscope.plain import plain, quantity_of
    from logscope.refit import refitted

    changes = condition.changes(texts)
    swept = condition.sweep(sweep) if sweep else None
    wanted = condition.condition(solve) if solve else None
    start = opened(log)
    facts, setting = start.facts, start.setting
    answer = whatif.prediction(facts, setting, changes, context_tokens=context, refused=start.refused)
    answer["launch"] = start.name
    with contextlib.suppress(NotChecked):
        answer["automatic_fraction"] = quantity_of(refitted(start.rank.launch, changes, facts))
    if swept:
        answer["sweep"] = whatif.swept(
            facts, setting, changes, flag=swept.flag, values=swept.values, context_tokens=context
        )
    if wanted:
        flag = next(iter(condition.changes([f"{over}=0"])))
        answer["solved"] = solved_for_flag(facts, setting, changes, flag=flag, wanted=wanted, context_tokens=context)
    return dict(plain(answer))
