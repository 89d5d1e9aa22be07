r"""The command line was refused before anything started: one row a refusal, one for the usage text above it.

Sample
    #@ 0.1.15..0.5.23
    usage: launch_server.py [-h] --model-path MODEL_PATH
                            [--tokenizer-path TOKENIZER_PATH] [--trust-remote-code]
    launch_server.py: error: argument --attention-backend: invalid choice: 'nosuch' (choose from 'triton', 'fa3')
    #@ 0.1.15..0.5.23
    launch_server.py: error: unrecognized arguments: --no-such-flag
    launch_server.py: error: the following arguments are required: --model-path/--model
    launch_server.py: error: argument --tp-size: expected one argument
    launch_server.py: error: argument --mem-fraction-static: invalid float value: 'high'
    #@ 0.5.15..0.5.23
    sglang serve: error: ambiguous option: --max-total could match --max-total-tokens, --max-total-things

Meaning
    The exit code is 2 and no server ever ran. The choices that the release knows stand in the message.

Source
    Python `argparse.ArgumentParser.error`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

_PROGRAM = r"(?P<program>[\w./-]+(?: [\w-]+)?): error: "

FAMILY = Family(
    shapes=(
        Shape(r"usage: (?P<program>[\w./-]+(?: serve)?) .*", ("usage: ",), sets={"problem": "usage"}),
        Shape(
            _PROGRAM
            + r"argument (?P<argument>-[^:]*): (?P<problem>invalid choice): (?P<value>'[^']*'|\S+)(?: \(choose from (?P<choices>.*)\))?",
            contains=": error: argument",
        ),
        Shape(
            _PROGRAM + r"argument (?P<argument>-[^:]*): (?P<problem>invalid \S+ value): (?P<value>.*)",
            contains=": error: argument",
        ),
        Shape(_PROGRAM + r"argument (?P<argument>[^:]*): (?P<problem>.*)", contains=": error: argument"),
        Shape(
            _PROGRAM + r"(?P<problem>unrecognized arguments|the following arguments are required): (?P<argument>.*)",
            contains=": error: ",
        ),
        Shape(
            _PROGRAM + r"(?P<problem>ambiguous option): (?P<argument>\S+) could match (?P<choices>.*)",
            contains=": error: ambiguous",
        ),
    ),
    columns=(
        Column("program", "text", "Program as it calls itself."),
        Column("problem", "text", "What is wrong; `usage` for the text that lists the flags."),
        Column("argument", "text", "The flag or flags."),
        Column("value", "text", "The value that was given."),
        Column("choices", "text", "What would have been right."),
    ),
    process="main",
)
