"""The messages that SGLang's releases can print and no named family takes: `logscope/events/_notices.tsv`.

Every release's sources are read with `ast`: calls of loggers, and `print` in the server. A template is its literal
text with `{}` for a value and `{n}` for a number. A release prints it when its longest literal stands in that
release's string constants, so a message that is put together otherwise elsewhere does not narrow the range. Templates
that a named family takes are left out.

usage: python tools/conformance/templates.py [--output FILE] [RELEASE …]    (without RELEASE: all wheels of the folder)
       python tools/conformance/templates.py --narrow     (drops what families added since take; needs no wheel)
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import re
import sys
import zipfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools.conformance import wheels

OUTPUT = Path(__file__).resolve().parents[2] / "logscope/events/_notices.tsv"
LEVELS = {"debug", "info", "warning", "warn", "error", "exception", "critical", "fatal"}
ALIASES = {"warn": "warning", "exception": "error", "fatal": "critical"}
SPEAKS = re.compile(r"(?:^|_)(?:log|print|warn)(?:_|$|ging)|_once$|_rank0$|rank0_|print_")
LEFT_OUT = re.compile(r"/(?:test|tests|lang|benchmark|eval|examples)/|/(?:test_|bench_)\w+\.py|compile_deep_gemm_main")
VALUE, NUMBER = "\x00", "\x01"
HOLE = 2  # releases without a text between two that have it
PREFIX = re.compile(rf"\[gpu(?:_id)?=[{VALUE}{NUMBER}]\] ")  # of the old releases, read as a rank
VAGUE = re.compile(r"\W*(?:\w*(?:[Ee]rror|[Ee]xception|[Ww]arning|Failed|failed)\W*)+")
MOST_FORMS = 6  # of one call: alternatives of its variables
Template = tuple[str, str, str]  # level, file, text with VALUE and NUMBER


def forms(node: ast.expr, names: dict[str, list[ast.expr]], depth: int = 0) -> list[str]:  # noqa: PLR0911
    """The texts that an expression can have, values marked."""
    if isinstance(node, ast.Constant):
        return [node.value if isinstance(node.value, str) else VALUE]
    if isinstance(node, ast.JoinedStr):
        return joined([forms(part, names, depth) for part in node.values])
    if isinstance(node, ast.FormattedValue):
        spec = "".join(p.value for p in getattr(node.format_spec, "values", ()) if isinstance(p, ast.Constant))
        if depth <= 2 and not spec:
            return inner(node.value, names, depth)
        return [NUMBER if re.search(r"[dfeg%]$", spec) else VALUE]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return joined([forms(node.left, names, depth), forms(node.right, names, depth)])
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return [percent(text) for text in forms(node.left, names, depth)]
    if isinstance(node, ast.IfExp):
        return [*forms(node.body, names, depth), *forms(node.orelse, names, depth)][:MOST_FORMS]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
        return [re.sub(r"\{[^{}]*\}", VALUE, text) for text in forms(node.func.value, names, depth)]
    if isinstance(node, ast.Name) and depth < 2 and names.get(node.id):
        return [text for value in names[node.id] for text in forms(value, names, depth + 1)][:MOST_FORMS]
    return [VALUE]


def inner(value: ast.expr, names: dict[str, list[ast.expr]], depth: int) -> list[str]:
    """A value inside an f-string: its text when it is put together from literals, else a mark."""
    literal = isinstance(value, ast.Constant) and isinstance(value.value, str)
    if literal or isinstance(value, ast.IfExp | ast.JoinedStr):
        return forms(value, names, depth + 1)
    return [VALUE]


def joined(parts: list[list[str]]) -> list[str]:
    texts = [""]
    for choices in parts:
        texts = [text + choice for text in texts for choice in choices][:MOST_FORMS]
    return texts


def percent(text: str) -> str:
    """A %-format with its conversions marked."""
    text = re.sub(r"%(?:\(\w+\))?[-+ #0]*[\d*]*(?:\.\d+)?[dfeg]", NUMBER, text)
    return re.sub(r"%(?:\(\w+\))?[-+ #0]*\d*[sra]", VALUE, text).replace("%%", "%")


def calls(tree: ast.Module) -> Iterator[tuple[str, list[str]]]:
    """Level and texts of every call that prints."""
    for scope in ast.walk(tree):
        if not isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef | ast.Module):
            continue
        own = list(within(scope))
        names: dict[str, list[ast.expr]] = {}
        for node in own:
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                names.setdefault(node.targets[0].id, []).append(node.value)
        for node in own:
            if isinstance(node, ast.Call) and node.args and (level := level_of(node)):
                yield level, texts_of(node, names)


def within(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a scope without those of the functions in it."""
    for child in ast.iter_child_nodes(scope):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        yield child
        yield from within(child)


def level_of(node: ast.Call) -> str:
    """The level of a call that prints; "" for other calls."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    owner = ast.unparse(node.func.value) if isinstance(node.func, ast.Attribute) else ""
    bare = name.removesuffix("_once")
    if bare in LEVELS and "log" in owner.lower():
        return ALIASES.get(bare, bare)
    if name == "print":
        return "print"
    if owner in ("", "self") and SPEAKS.search(name) and owner != "warnings":
        level = next((level for level in sorted(LEVELS, key=len, reverse=True) if level in name), "info")
        return ALIASES.get(level, level)
    return ""


def texts_of(node: ast.Call, names: dict[str, list[ast.expr]]) -> list[str]:
    """The texts of the first argument that holds one; `print` puts spaces between its arguments."""
    if getattr(node.func, "id", "") == "print":
        return joined([[*(" " + t if n else t for t in forms(arg, names))] for n, arg in enumerate(node.args)])
    for place, argument in enumerate(node.args[:2]):
        found = [text for text in forms(argument, names) if re.search(r"[A-Za-z]{3}", text)]
        if found:
            more = len(node.args) > place + 1 and isinstance(node.func, ast.Attribute)
            return [percent(text) for text in found] if more else found
    return []


def usable(text: str) -> str:
    """The text as a template, or "" when it says too little to be told from others."""
    text = PREFIX.sub("", text.strip("\n"))
    text = re.sub(f"[{VALUE}{NUMBER}](?:.{{0,2}}[{VALUE}{NUMBER}])+", VALUE, text)
    pieces = re.split(f"[{VALUE}{NUMBER}]", text.split("\n")[0])
    longest = max(pieces, key=len)
    letters = sum(c.isalpha() for c in "".join(pieces))
    starts = len(pieces[0]) >= 6 and sum(c.isalpha() for c in pieces[0]) >= 4
    fits = letters >= 8 and (starts or (len(longest.split()) >= 2 and len(longest) >= 12))
    return text if fits and len(text) < 1200 and not VAGUE.fullmatch("".join(pieces)) else ""


def of_file(job: tuple[str, str, str]) -> tuple[str, list[Template], str]:
    """Digest, templates and string constants of one source file."""
    digest, member, source = job
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return digest, [], ""
    found = {
        (level, member.removeprefix("sglang/"), template)
        for level, texts in calls(tree)
        for text in texts
        if (template := usable(text))
    }
    constants = "\n".join(n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str))
    return digest, sorted(found), constants


def releases() -> list[str]:
    """The releases whose wheels are in the folder, oldest first."""
    names = {path.name.split("-")[1] for path in wheels.folder().glob("sglang-*.whl")}
    return sorted(names, key=lambda r: [int(x) for x in re.findall(r"\d+", r)] + ([] if "post" in r else [-1]))


def sources(release: str) -> Iterator[tuple[str, str, str]]:
    with zipfile.ZipFile(wheels.wheel(release)) as archive:
        for name in archive.namelist():
            if name.startswith("sglang/") and name.endswith(".py") and not LEFT_OUT.search(name):
                data = archive.read(name)
                yield hashlib.sha1(data, usedforsecurity=False).hexdigest(), name, data.decode(errors="replace")


def collected(chosen: list[str]) -> dict[tuple[str, str], tuple[str, str, str]]:
    """(level, text) → first release, last release, file in the last one."""
    files: dict[str, tuple[list[Template], str]] = {}
    parts: dict[str, list[str]] = {}
    with ProcessPoolExecutor(2) as pool:
        for release in chosen:
            jobs, digests = {}, []
            for digest, name, text in sources(release):
                digests.append(digest)
                if digest not in files:
                    jobs[digest] = (digest, name, text)
            for digest, templates, constants in pool.map(of_file, jobs.values(), chunksize=16):
                files[digest] = (templates, constants)
            parts[release] = digests
            print(release, len(digests), len(jobs), file=sys.stderr, flush=True)
    found: dict[tuple[str, str], tuple[str, str, str]] = {}
    for release in chosen:
        for digest in parts[release]:
            for level, member, text in files[digest][0]:
                if level == "debug" and not member.startswith("srt/"):
                    continue
                first = found.get((level, text), (release, "", ""))[0]
                found[level, text] = (first, release, member)
    return widened(found, chosen, {r: [files[d][1] for d in parts[r]] for r in chosen})


def widened(
    found: dict[tuple[str, str], tuple[str, str, str]], chosen: list[str], constants: dict[str, list[str]]
) -> dict[tuple[str, str], tuple[str, str, str]]:
    """The same with bounds as wide as the longest literal stands in the string constants of the next releases."""
    place = {release: number for number, release in enumerate(chosen)}
    bounds = {key: [place[first], place[last]] for key, (first, last, _) in found.items()}
    longest = {key: max(re.split(f"[{VALUE}{NUMBER}]", key[1]), key=len) for key in found}
    for side, step in ((1, 1), (0, -1)):
        for number in range(len(chosen))[::step]:
            due = [key for key, own in bounds.items() if 1 <= (number - own[side]) * step <= HOLE]
            text = "\n".join(constants[chosen[number]]) if due else ""
            for key in due:
                if longest[key] in text:
                    bounds[key][side] = number
    return {key: (chosen[bounds[key][0]], chosen[bounds[key][1]], found[key][2]) for key in found}


def rendered(text: str) -> list[str]:
    """The first line with values of several kinds."""
    head = text.split("\n", maxsplit=1)[0]
    values = ("12", "abc", "True", "1.25", "[1, 2]", "Decode")
    return [head.replace(VALUE, value).replace(NUMBER, "1.25") for value in values]


def named(text: str) -> bool:
    """Whether a named family takes the first line of this message."""
    from logscope.shapes import index, read

    made = index()
    lines = rendered(text)
    if any(entry.shape.scope == "record" or read(entry, line) for line in lines for entry in _fitting(made, line)):
        return True
    return any(literal in line and read(entry, line) for line in lines for literal, entry in made.lines)


def _fitting(made: Any, line: str) -> Iterator[Any]:
    """The entries of named families whose literal stands in the line."""
    for entry in made.heads(line):
        if entry.family.last:
            return
        yield entry


def escaped(text: str) -> str:
    text = text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")
    return text.replace("{", "\\{").replace(VALUE, "{}").replace(NUMBER, "{n}")


def rows(found: dict[tuple[str, str], tuple[str, str, str]], chosen: list[str]) -> list[str]:
    """One line a text: first and last release, level and file of the newest call, the text."""
    place = {release: number for number, release in enumerate(chosen)}
    by_text: dict[str, list[tuple[int, int, str, str]]] = {}
    for (level, text), (first, last, member) in found.items():
        by_text.setdefault(text, []).append((place[last], place[first], level, member))
    lines = []
    for text, seen in by_text.items():
        last, _, level, member = max(seen)
        first = min(one[1] for one in seen)
        ends = ("" if first == 0 else chosen[first], "" if last == len(chosen) - 1 else chosen[last])
        lines.append("\t".join((escaped(text), *ends, level, member)))
    return sorted(lines)


def narrow(path: Path) -> None:
    """Drop the texts that a named family takes by now."""
    from logscope.events._templates import templates

    lines = path.read_text(encoding="utf-8").splitlines()
    kept = [
        line
        for line, template in zip(lines, templates(), strict=True)
        if usable(marked := template.text.replace("{n}", NUMBER).replace("{}", VALUE).replace("\x02", "{"))
        and not named(marked)
    ]
    path.write_text("\n".join(kept) + "\n", encoding="utf-8")
    print(f"{len(lines)} texts, {len(kept)} kept", file=sys.stderr)


def main() -> int:
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("releases", nargs="*")
    ask.add_argument("--output", type=Path, default=OUTPUT)
    ask.add_argument("--narrow", action="store_true", help="drop from the table what a named family takes by now")
    say = ask.parse_args()
    if say.narrow:
        narrow(say.output)
        return 0
    chosen = say.releases or releases()
    found = collected(chosen)
    lines = rows({key: seen for key, seen in found.items() if not named(key[1])}, chosen)
    say.output.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(found)} templates, {len(lines)} texts without a named family", file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
