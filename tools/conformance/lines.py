"""Render the lines of each release through its own format strings, parse them back, and compare every field.

    python -m tools.conformance.lines [--short | --releases 0.5.9,0.5.23] [--write]

Exit 1 when a line is taken by no family or another one, or when a value comes back otherwise than it was printed.
"""

from __future__ import annotations

import ast
import functools
import random
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from logscope.parse import Reader, Row
from logscope.source import Block
from tools.conformance import templates
from tools.conformance.options import ROOT, asked
from tools.conformance.wordings import MARK, Function, Interpreter, mark

PAGE = ROOT / "docs" / "conformance-lines.md"
# The lines that matter, by what their text begins with (behind the rank that old releases print themselves).
LINES: dict[str, str] = {
    "prefill_batch": r"Prefill? batch|new fill batch",
    "decode_batch": r"Decode batch|#running-req: ",
    "retraction": r"[Dd]ecode out of memory happened|KV cache pool is full\. Retract",
    "load_weight": r"Load weight (?:begin|end)|Rank .*: load weight",
    "distributed_init": r"Init torch distributed|Init parallel|Memory baseline taken",
    "kv_pool": r".*KV Cache is allocated|.*KV Cache VA upper bound|Use [Ss]liding window memory pool",
    "state_pool": r"Mamba Cache is allocated",
    "memory_pool_end": r"Memory pool end",
    "graph_capture": r"Capture .*graph (?:begin|end|bs )|Registering .* cuda graph addresses",
    "capacity": r"max_total_num_tokens=",
    "server_args": r"server_args=",
    "ready": r"The server is fired up",
    "failure": r"(?:Scheduler|DetokenizerManager|TokenizerManager|DataParallelController) hit an exception",
    "signal": r"Received sigquit|SIGQUIT received",
    "shutdown": r"SIGTERM received\. signum|Gracefully exiting\.\.\.",
    "process_exit": r"Subprocess .* crashed with|Rank .* scheduler is dead|Child process unexpectedly failed",
    "watchdog": r"(?:.* w|W)atchdog timeout \(",
    "budget_refused": r"Not enoug\w* memory\. Please try to increase --mem|Loaded weights leave no",
    "pool_exhausted": r"(?:Prefill|Decode|Out) o\w+ .*memory\. T",
    "mlx_pool": r"Auto-sized .*KV pool|MlxKVPool|MlxAttentionKVPool",
}
OWN = re.compile(r"\[(?:gpu_id|gpu)=\x01[^\x02]*\x02\] ")
PLACES = re.compile(r"sglang/(?:srt/(?!models/|debug_utils/|layers/)|launch_server)")
BUILDS = re.compile(r"def \w*(?:usage_msg|token_info|occupancy_log|evictable_str|log_usage)\w*\(")
WORDS = (
    (r"(?:type|Type)=$", "LlamaForCausalLM"),
    (r"type=\w+, $", "quant=fp8, bits=8"),
    (r"dtype(?:=|: )$", "torch.bfloat16"),
    (r"graph: $|soft=$", "True"),
    (r"(?<!\w)(?:bs|num_tokens)=$|graph (?:bs|num tokens) $|rids=$", "[1, 2, 4]"),
    (r"backend=$", "full"),
    (r"signum=$|frame=$", "None"),
    (r"timestamp: $", "2025-07-09T02:16:10.123456"),
    (r"server_args=$", "ServerArgs(model_path='x')"),
    (r"exception: $", "Traceback (most recent call last):\nValueError: bad"),
    (r"Try to allocate .* tokens\.\n$", "Available tokens: 7 (available_size=3 + evictable_size=4)"),
    (r"Capture $", "target"),
    (r"Capture target $", "decode"),
    (r"Capture target decode $", "CUDA"),
)


@dataclass(slots=True)
class Verdict:
    """What became of the lines of one release."""

    release: str
    good: Counter[str] = field(default_factory=Counter)
    bad: list[tuple[str, str, str]] = field(default_factory=list)  # family, line, what is wrong
    texts: int = 0  # that any call of a logger can print
    untaken: list[str] = field(default_factory=list)  # those that no family takes


def functions(release: str) -> tuple[list[Function], Mapping[str, list[Function]]]:
    """The functions that print one of the lines, and all functions of those files and of the pools by name."""
    speaking = re.compile("|".join(f"(?:{p})" for p in literals()))
    found: list[Function] = []
    by_name: dict[str, list[Function]] = {}
    for _, member, source in templates.sources(release):
        loud = bool(PLACES.match(member) and speaking.search(source))
        if not loud and not (PLACES.match(member) and BUILDS.search(source)):
            continue
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                by_name.setdefault(node.name, []).append(node)
                if loud and speaking.search(ast.get_source_segment(source, node) or ""):
                    found.append(node)
    return found, by_name


def literals() -> Iterator[str]:
    """Words of the lines that stand unbroken in the sources."""
    yield from ("Prefill? batch", "new fill batch", "Decode batch", "#running-req: ", "#retracted_reqs", "oad weight")
    yield from ("Init torch", "Init parallel", "Memory baseline", "KV Cache", "liding window memory", "Mamba Cache")
    yield from ("Memory pool end", "graph begin", "graph end", "graph bs", "Registering", "max_total_num_tokens=")
    yield from ("server_args=", "fired up", "sigquit", "SIGQUIT", "SIGTERM", "Gracefully", "crashed with", "is dead")
    yield from ("unexpectedly failed", "atchdog timeout", "hit an exception", "Please try to increase --mem")
    yield from ("Loaded weights leave", "Try to lower your batch", "Auto-sized", "KVPool: ")


def wordings(release: str) -> Iterator[tuple[str, str]]:
    """Family and text with marks of every wording of the lines that matter."""
    loud, by_name = functions(release)
    builds = re.compile("msg|info|label|suffix|string|_str$|log_usage")
    interpreter = Interpreter(lambda name: by_name.get(name, ()) if builds.search(name) else ())
    seen: set[str] = set()
    for function in loud:
        for text in interpreter.run(function):
            body = OWN.sub("", text)
            family = next((name for name, begins in LINES.items() if re.match(begins, body)), "")
            if family and body not in seen:
                seen.add(body)
                yield family, body


def rendered(text: str, draw: random.Random) -> tuple[str, list[str]]:
    """A line with random values, and those that are numbers."""
    numbers, made, place = [], "", 0
    for found in MARK.finditer(text):
        made += text[place : found.start()]
        word = next((value for before, value in WORDS if re.search(before, made)), "")
        if made.endswith(", ") and text.startswith(": ", found.end()):
            word = "cuda graph"
        if not word:
            decimals = re.search(r"\.(\d+)f", found[1])
            number = draw.uniform(2, 900)
            word = f"{number:.{decimals[1]}f}" if decimals else str(draw.randint(1000, 99999))
            numbers.append(word)
        made += word
        place = found.end()
    return made + text[place:], numbers


def taken(line: str) -> dict[str, list[Row]]:
    return reading(line).rows


def reading(line: str) -> Reader:
    reader = Reader()
    reader.feed(Block("rendered.log", 1, f"[2026-01-12 02:47:08 TP0] {line}\n".encode()))
    reader.finish()
    return reader


def wrong(family: str, line: str, numbers: Iterable[str]) -> str:
    """What is wrong with the reading of a line, or ""."""
    read = reading(line)
    rows = read.rows
    if family not in rows:
        return f"taken by {', '.join(rows) or 'nobody'}"
    if read.coverage.unknown_keys:
        return f"does not know the keys {', '.join(key for _, key in read.coverage.unknown_keys)}"
    values = [value for row in rows[family] for value in row.values.values.values()]
    texts = "\n".join(v for v in values if isinstance(v, str))
    lost = [n for n in numbers if not any(same(n, v) for v in values) and n not in texts]
    return f"lost {', '.join(lost)}" if lost else ""


def same(printed: str, value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and float(printed) == float(value)


@functools.cache
def texts_of(digest: str, source: str) -> tuple[str, ...]:  # noqa: ARG001
    """The texts of all calls of loggers in one source file, values as marks."""
    try:
        calls = [texts for level, texts in templates.calls(ast.parse(source)) if level not in ("print", "debug")]
    except SyntaxError:
        return ()
    firsts = {text.split("\n", 1)[0] for texts in calls for text in texts}
    return tuple(sorted(text for text in firsts if re.search("[A-Za-z]{3}", text)))


@functools.cache
def unknown(text: str) -> bool:
    """Whether no family takes a text, whatever kind its values are of."""
    marked = text.replace(templates.NUMBER, templates.VALUE).replace(templates.VALUE, mark())
    body = OWN.sub("", marked)
    return not any(taken(MARK.sub(value, body).rstrip()) for value in ("12", "abc", "True", "1.25"))


def others(release: str) -> tuple[int, list[str]]:
    """How many texts the calls of a release have, and those that no family takes."""
    found = {text for digest, _, source in templates.sources(release) for text in texts_of(digest, source)}
    shown = str.maketrans({templates.VALUE: "{}", templates.NUMBER: "{}"})
    return len(found), sorted(text.translate(shown) for text in found if unknown(text))


def compare(release: str) -> Verdict:
    verdict, draw = Verdict(release), random.Random(release)
    verdict.texts, verdict.untaken = others(release)
    for family, text in wordings(release):
        line, numbers = rendered(text, draw)
        fault = wrong(family, line, numbers)
        if fault:
            verdict.bad.append((family, line, fault))
        else:
            verdict.good[family] += 1
    return verdict


def page(verdicts: list[Verdict]) -> str:
    """The matrix of release × family: how many wordings were rendered and read back."""
    names = [name for name in LINES if any(v.good[name] for v in verdicts)]
    head = [
        "# Lines read back, release by release",
        "",
        "How many wordings of each family a release's own format strings give; each was rendered with random values",
        "and parsed, and every field was equal to what was printed. *Texts* are those of all calls of loggers,",
        "*unread* those that no family takes: they hold too few words of their own (`{}: {}`) to be told from others.",
        "`tools/conformance/lines.py` writes this page.",
        "",
        "| release | " + " | ".join([*names, "texts", "unread"]) + " |",
        "|---" * (len(names) + 3) + "|",
    ]
    rows = [
        f"| {v.release} | "
        + " | ".join([*(str(v.good[name] or "") for name in names), str(v.texts), str(len(v.untaken))])
        + " |"
        for v in verdicts
    ]
    last = verdicts[-1]
    rest = ["", f"## Texts of {last.release} that no family takes", "", *(f"- `{text}`" for text in last.untaken)]
    return "\n".join([*head, *rows, *rest, ""])


def main() -> int:
    said = asked(__doc__ or "", PAGE)
    verdicts = []
    for release in said.releases:
        verdict = compare(release)
        verdicts.append(verdict)
        good, bad = verdict.good.total(), len(verdict.bad)
        rest = f"{len(verdict.untaken)} of {verdict.texts} other texts without a family"
        print(f"{release}: {good} wordings read back, {bad} not; {rest}", file=sys.stderr, flush=True)
        for family, line, fault in verdict.bad:
            print(f"  {family}: {fault}: {line!r}", file=sys.stderr)
    if said.write:
        PAGE.write_text(page(verdicts), encoding="utf-8")
    return 1 if any(verdict.bad for verdict in verdicts) else 0


if __name__ == "__main__":
    raise SystemExit(main())
