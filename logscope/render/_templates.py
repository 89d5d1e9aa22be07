"""The templates, found in an installed wheel, an editable install and a plain checkout.

A wheel carries them as `logscope/templates`; in a checkout, also one installed as editable, they are
`reports/templates` beside the package.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from logscope.errors import OutputError
from logscope.render._visible import visible


def folder() -> Traversable:
    """The folder of the templates; raises `OutputError` when the installation has lost it."""
    package = resources.files("logscope")
    checkout = Path(str(package)).parent / "reports" / "templates"
    # The checkout first: beside a source tree, a stale copy inside the package must not win.
    for candidate in (checkout, package.joinpath("templates")):
        if candidate.joinpath("report.html.j2").is_file():
            return candidate
    raise OutputError(
        f"the HTML templates are missing: neither {checkout} nor logscope/templates holds report.html.j2; "
        "reinstall logscope"
    )


@cache
def source(name: str) -> str:
    """The text of one file of the templates, its line ends as `\\n`: a hash must be of what the browser reads."""
    return folder().joinpath(*name.split("/")).read_text(encoding="utf-8").replace("\r\n", "\n")


@cache
def environment() -> Environment:
    """Autoescape on, undefined is an error, and whatever is printed is made visible first."""
    return Environment(
        loader=FunctionLoader(source),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _shown(value: object) -> object:
    return value if isinstance(value, Markup) else visible(str(value))
