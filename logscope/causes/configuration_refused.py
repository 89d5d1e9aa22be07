"""A flag or a combination of flags is refused at start.

What it is
    The server checks its arguments and refuses: an unknown flag, a value out of range, a combination that no kernel or
    mode supports.

How to tell
    argparse's error, or an exception whose frames check arguments or the model's configuration, before weights load.

Not to be taken for
    `environment_broken`: a package, a version, an architecture, a file or a port is missing. `server_defect`: a shape, key
    or type in the server's own code. A shell's `Killed` below it is the launcher ending its own tree.

What to do
    Change the flag that the message names. Leave the fraction.

Source
    `ServerArgs.__post_init__`, `check_server_args` (`srt/server_args.py`), `ModelConfig` (`configs/model_config.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from logscope.case import Case
from logscope.facts.failures import Failure
from logscope.finding import Action, Hypothesis, Way
from logscope.launch import Row
from logscope.proof import brief, ends, innermost, remedy
from logscope.quantity import LineRef
from logscope.sglang import arguments

WAY: Way = "leave"
TITLE = "An argument was refused at start"

_CHECKS = (
    "server_args",
    "arg_groups",
    "model_config",
    "prepare_server_args",
    "__post_init__",
    "from_cli_args",
    "check_",
    "validate",
)
_REFUSES = re.compile(
    r"--[a-z][\w-]+|not support|unsupported|must be|should be|cannot be|can not be|only support|incompatible|invalid"
    r"|mutually exclusive|requires? |divisible|not a multiple|number of (?:gpus|devices)"
    r"|invalid device ordinal|greater than|less than|is not set|please (?:set|use|specify|disable|enable)"
    r"|not allowed|(?<!un)expected",
    re.IGNORECASE,
)
_MANY = 100_000
_DIVIDES = re.compile(r"divisible|not a multiple|must be divided", re.IGNORECASE)
_PARSED = re.compile(r"json\.loads\(\s*(?:\w+\.)*(\w+)\s*\)")
_NAMES = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")
_RANKS = ("tp_size", "dp_size", "ep_size", "pp_size", "attn_cp_size", "moe_dense_tp_size", "moe_dp_size")
_LONGER = re.compile(r"context_length \((?P<asked>\d+)\) is greater than the derived context_length \((?P<own>\d+)\)")
_EARLY = ("unknown", "arguments", "init", "load", "pool", "workspace", "capture")


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """The first failure is a refusal of the configuration."""
    root = case.root
    if root is None or case.state not in ("failed_startup", "unknown"):
        return
    if "argparse_error" in root.marks:
        rows = [row for row in case.launch.rows("argparse_error") if row.get("problem") != "usage"]
        told = " ".join(str(rows[0].get(name, "")) for name in ("argument", "problem", "value")) if rows else ""
        weight = 0.95 if rows else 0.6  # the list of flags alone is printed by --help too
        yield _made(case, root, weight, told.strip() or "the command line", *(row.ref for row in rows))
        return
    if twice := _one_device_twice(case, root):
        yield _made(case, root, 0.85, str(twice.get("text")), twice.ref)
        return
    raised = root.root
    if raised is None or root.marks or root.phase not in _EARLY:
        return
    plain = raised.type.rpartition(".")[2] in (
        "ValueError",
        "AssertionError",
        "NotImplementedError",
        "RuntimeError",
        "TypeError",
        "KeyError",
    )
    if argument := _no_json(root.text) if raised.type.endswith("JSONDecodeError") else "":
        yield _made(case, root, 0.85, f"{argument} is no JSON: {brief(raised.message)}", *innermost(root))
        return
    checks = root.in_frames(*_CHECKS)
    refuses = bool(_REFUSES.search(raised.message))
    calls = raised.type in (
        "TypeError",
        "KeyError",
    )  # a call or a key of the code, unless a check of arguments raised it
    if plain and (checks or (refuses and not calls)):
        weight = 0.85 if checks and refuses else 0.7 if refuses else 0.62
        said = brief(raised.message) or f"{raised.type} in {_where(root)}"
        yield _made(case, root, weight, said, *innermost(root))


def _no_json(text: str) -> str:
    """The argument whose text a traceback shows being parsed as JSON; empty where it is none, as the text of a file."""
    parsed = _PARSED.findall(text)
    return next((name for name in sorted(arguments.known()) for word in parsed if word in name and "_" in word), "")


def _one_device_twice(case: Case, root: Failure) -> Row | None:
    """NCCL's warning that two ranks were given one device."""
    if "collective_failure" not in root.marks:
        return None
    rows = case.launch.rows("nccl") if case.launch.table("nccl").num_rows < _MANY else []
    return next((row for row in rows if "Duplicate GPU" in str(row.get("text", ""))), None)


def _where(root: Failure) -> str:
    return root.frames[-1].function if root.frames else "the check of the arguments"


def _made(case: Case, root: Failure, weight: float, said: str, *lines: LineRef) -> Hypothesis:
    cure = remedy(root.root.message) if root.root is not None else ""
    return Hypothesis(
        cause="configuration_refused",
        weight=weight,
        sentence=f"The server refused its configuration before it served: {said}",
        evidence=tuple(dict.fromkeys((*lines, root.decisive, root.ref))),
        confidence="certain" if weight >= 0.95 else "likely",
        fraction=WAY,
        chain=ends(case, root, "the refusal"),
        actions=(
            *_without_flag(case, root),
            Action(
                do=f"Do what the message says: {cure}" if cure else "Change the argument that the message names.",
                why="The server checks it before it touches memory.",
                verify="The next start prints `Load weight begin`.",
            ),
        ),
        at=root.ref,
    )


def _between_arguments(message: str) -> bool:
    """Whether a message names arguments alone that do not fit each other, none of them a number of ranks."""
    return bool(set(_NAMES.findall(message)) & arguments.known() - set(_RANKS))


def _without_flag(case: Case, root: Failure) -> Iterator[Action]:
    """What the message asks for without naming a flag: a context that the model has, ranks that divide its sizes."""
    if _one_device_twice(case, root):
        yield Action(
            do="Give every rank a device of its own: compare CUDA_VISIBLE_DEVICES and --base-gpu-id with --tp-size and the cards.",
            why="Two ranks of one communicator cannot share a card.",
            verify="`Init torch distributed ends` appears on every rank.",
        )
    if root.root is not None and _DIVIDES.search(root.root.message) and not _between_arguments(root.root.message):
        yield Action(
            do="Choose a --tp-size (or --ep-size, --moe-dense-tp-size) by which the sizes in the message divide: usually fewer ranks.",
            why="Every rank gets an equal slice of each weight, in whole blocks.",
            verify="The next start prints `Load weight end`.",
        )
    found = _LONGER.search(root.root.message) if root.root is not None else None
    if found:
        asked, own = int(found["asked"]), int(found["own"])
        yield Action(
            do=f"Lower --context-length from {asked} to {own}, unless the model is meant to be stretched.",
            why=f"The model's own configuration gives {own} tokens; beyond it positions are not trained.",
            verify="The next start prints `Load weight begin`.",
            set={"flag": "--context-length", "from": asked, "hi": own},
        )
