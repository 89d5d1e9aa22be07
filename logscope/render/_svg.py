"""SVG elements as text that is already escaped.

Presentation attributes only: the page's policy forbids `style`, and colours come from classes that follow light and
dark. Paths hold absolute `x,y` pairs alone, so that the script can move them along x when a reader zooms.
"""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup, escape

from logscope.render._visible import visible


def element(name: str, /, *children: str, **attributes: str | float) -> Markup:
    """An element; `_` in an attribute's name stands for `-`, and one at its end is dropped (`class_`)."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_attribute(value)}"' for key, value in attributes.items()
    )
    inner = "".join(_safe(child) for child in children)
    return Markup(f"<{name}{written}>{inner}</{name}>" if inner else f"<{name}{written}/>")  # noqa: S704


def group(children: Iterable[str], **attributes: str | float) -> Markup:
    """A `g` around the children."""
    return element("g", *children, **attributes)


def path(points: Iterable[tuple[float, float]], *, close: str = "") -> str:
    """The `d` of a polyline: absolute pairs, one decimal."""
    return "".join(f"{'L' if i else 'M'}{_short(x)},{_short(y)}" for i, (x, y) in enumerate(points)) + close


def drawing(key: str, width: float, height: float, title: str, desc: str, *children: str, class_: str = "") -> Markup:
    """A whole image with its name and description for those who cannot see it."""
    return element(
        "svg",
        element("title", title, id=f"{key}-title"),
        element("desc", desc, id=f"{key}-desc"),
        *children,
        viewBox=f"0 0 {_short(width)} {_short(height)}",
        width=width,
        height=height,
        class_=class_ or "drawing",
        role="img",
        aria_labelledby=f"{key}-title",
        aria_describedby=f"{key}-desc",
        id=key,
    )


def _safe(child: str) -> str:
    return child if isinstance(child, Markup) else escape(visible(child))


def _attribute(value: str | float) -> str:
    return _short(value) if isinstance(value, int | float) else escape(visible(value))


def _short(value: float) -> str:
    shown = f"{value:.1f}"
    return shown[:-2] if shown.endswith(".0") else shown
