"""`logscope rules`: what is checked."""

from __future__ import annotations

import click

from logscope.cli._output import to_stdout


@click.command()
@click.option("-f", "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def rules(form: str) -> None:
    """List what is checked: code, severity, kind, meaning.

    `logscope explain CODE` prints one in full.
    """
    import inspect
    import json

    from logscope.discover import units

    rows = [
        {
            "code": name.partition("_")[0].upper(),
            "name": name.partition("_")[2],
            "severity": str(module.SEVERITY),
            "kind": str(module.KIND),
            "shows": (inspect.getdoc(module) or "").partition("\n")[0],
        }
        for name, module in units("logscope.rules").items()
    ]
    if form == "json":
        to_stdout(json.dumps(rows, indent=2, ensure_ascii=False))
    else:
        to_stdout("\n".join(f"{row['code']:<7} {row['severity']:<8} {row['kind']:<11} {row['shows']}" for row in rows))
