r"""The command that starts a server, where a shell or a script has shown it: one row a command.

Sample
    #@ 0.1.15..0.5.23
    + python -m sglang.launch_server --model-path model --tp-size 8
    $ python3 -m sglang.launch_server --model-path model --port 30000
    root@node:/sgl-workspace# CUDA_VISIBLE_DEVICES=0,1 python3 -m sglang.launch_server --model model --tp 2
    python -m sglang.launch_server --model-path model
    #@ 0.5.11..0.5.23
    + sglang serve --model-path model

Meaning
    What was asked for; `server_args` says what came of it. A command that is shown need not be the one that ran.

Source
    bash (`set -x`, prompts), scripts, issue texts.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

_PROMPT = (
    r"(?:\++ |\$ |# |>>> |! ?|\(?[\w.-]+\)? ?[^\s@:]{1,80}[@:]\S{1,200}[#$] )?(?:(?:exec|nohup|sudo|time|env|numactl \S+) )*"
    r"(?:(?:docker run|podman run|srun|kubectl exec) .{1,2000}? )?(?:[A-Z_][A-Z0-9_]*=\S* )*"
)

FAMILY = Family(
    shapes=(
        Shape(
            _PROMPT
            + r"(?P<program>\S*python[\d.]* -m (?:sglang\.[\w.]+|sglang_router\.\w+)|\S*sglang serve|\S*sglang-router)(?P<arguments>(?: .*)?)",
            contains="sglang",
        ),
    ),
    columns=(
        Column("program", "text", "Program that is started."),
        Column("arguments", "text", "Its arguments."),
    ),
    process="main",
    private=("arguments",),
)
