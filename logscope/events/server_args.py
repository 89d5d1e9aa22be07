r"""The arguments of a start, as the main process prints them.

Sample
    #@ 0.1.24..0.5.18
    [2025-01-30 18:11:14] server_args=ServerArgs(model_path='deepseek-ai/DeepSeek-V3', tokenizer_path='deepseek-ai/DeepSeek-V3', tokenizer_mode='auto', mem_fraction_static=0.81)
    #@ 0.5.19..0.5.23
    [2026-10-10 18:11:14] server_args={'model_path': 'deepseek-ai/DeepSeek-V3', 'tokenizer_path': 'deepseek-ai/DeepSeek-V3', 'mem_fraction_static': 0.81}

Meaning
    One line of 2 to 25 kB; it starts a launch. Values are Python reprs, after the automatic choices: up to 0.5.18 as
    `__post_init__` left them, from 0.5.19 resolved. The release is not printed. The line can hold secrets (api_key).

Source
    `Engine._launch_subprocesses` (`entrypoints/engine.py`), earlier `launch_server` (`server.py`).
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"(?s)server_args=(?P<text>ServerArgs\(.*)",
            ("server_args=ServerArgs(",),
            since="0.1.24",
            until="0.5.18",
            scope="record",
            sets={"form": "constructor"},
        ),
        Shape(
            r"(?s)server_args=(?P<text>\{.*)",
            ("server_args={",),
            since="0.5.19",
            scope="record",
            sets={"form": "dict"},
        ),
    ),
    columns=(
        Column("form", "text", "constructor or dict."),
        Column("text", "text", "The literal as it is printed. It can hold secrets: whoever shows it masks them."),
    ),
    process="main",
    multiline=True,
    informs=True,
)
