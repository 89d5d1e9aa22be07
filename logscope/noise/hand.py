r"""Marks that a person or a page puts around an excerpt.

Why
    Rules, fences and dots for what was left out; they are not lines of any program. What was left out is unknown.

Sample
    ...
    [...]
    ......
    <snip>
    ```
    ```shell
    <details>
    </details>
    <summary>log</summary>
    -----
    =================================
    *****
"""

from __future__ import annotations

from logscope.family import Noise

_PROGRAM = "a person"
_REASON = "marks around an excerpt"

NOISE = (
    Noise(
        _PROGRAM,
        _REASON,
        r"\s*(?:\[?\(?(?:\.{2,}|…+)\)?\]?|<?\(?\[?(?:snip|SNIP|truncated|omitted|skipped)\]?\)?>?)\s*$",
        starts=(
            ".",
            "…",
            "[.",
            "[…",
            "(.",
            "<snip",
            "[snip",
            "<trunc",
            "[trunc",
            "<omit",
            "[omit",
            "(omit",
            "(trunc",
            "  .",
            "    .",
        ),
    ),
    Noise(
        _PROGRAM,
        _REASON,
        r"\s*(?:`{3,}[\w-]*|~{3,}\w*|</?(?:details|summary|pre|code)>(?:[^<]*</(?:summary|pre|code)>)?)\s*$",
        starts=(
            "```",
            "~~~",
            "<details",
            "</details",
            "<summary",
            "</summary",
            "<pre",
            "</pre",
            "<code",
            "</code",
        ),
    ),
    Noise(
        _PROGRAM,
        _REASON,
        r"\s*(?:[-=*_#~+]{3,}|[-=]{2,} ?>?)\s*$",
        starts=(
            "--",
            "==",
            "**",
            "__",
            "##",
            "~~",
            "++",
        ),
    ),
)
