"""Rewrite `logscope/sglang/arguments.json`: the fields of ServerArgs of every release, read from the wheels.

    python -m tools.conformance.arguments [--check]

Facts only: name, place, default, flags, and whether the release itself may set the field. Each release is stored as
what it changed against the one before.
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from logscope.sglang.releases import RELEASES
from tools.conformance import wheels

TARGET = Path(__file__).resolve().parents[2] / "logscope" / "sglang" / "arguments.json"
SERVER_ARGS = "sglang/srt/server_args.py"
FIELDS = "sglang/srt/arg_groups/fields/"
EXTERNAL = {"DEFAULT_LORA_EVICTION_POLICY": "lru"}  # constants that are imported from elsewhere
Field = dict[str, Any]


def class_named(module: ast.Module, name: str) -> ast.ClassDef:
    return next(node for node in module.body if isinstance(node, ast.ClassDef) and node.name == name)


def constants(module: ast.Module) -> dict[str, Any]:
    """The literal constants of a module by name."""
    found: dict[str, Any] = dict(EXTERNAL)
    for node in module.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name):
                try:
                    found[target.id] = ast.literal_eval(node.value)
                except ValueError:
                    continue
    return found


def default(node: ast.expr | None, known: dict[str, Any]) -> Field:
    """`{"default": value}`, or nothing when there is none or it is no literal."""
    if node is None:
        return {}
    if isinstance(node, ast.Name) and node.id in known:
        return {"default": known[node.id]}
    if isinstance(node, ast.Call):
        factories = [k.value for k in node.keywords if k.arg == "default_factory"]
        plain = [k.value for k in node.keywords if k.arg == "default"]
        literals: dict[str, Any] = {"list": [], "dict": {}}
        empty = literals.get(ast.unparse(factories[0])) if factories else None
        inner = [f.body for f in factories if isinstance(f, ast.Lambda)] + plain
        return {"default": empty} if empty is not None else default(inner[0] if inner else None, known)
    try:
        value = ast.literal_eval(node)
        json.dumps(value)
    except (ValueError, TypeError):
        return {}
    return {"default": list(value) if isinstance(value, tuple) else value}


def call(annotation: ast.expr) -> ast.Call | None:
    """The `Arg(...)` of an annotation `A[type, Arg(...)]`."""
    for node in ast.walk(annotation):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Arg":
            return node
    return None


def declared(body: list[ast.stmt], known: dict[str, Any]) -> dict[str, Field]:
    """The fields that a class body declares, in order."""
    fields: dict[str, Field] = {}
    for node in body:
        if not isinstance(node, ast.AnnAssign) or not isinstance(node.target, ast.Name):
            continue
        name = node.target.id
        if "ClassVar" in ast.unparse(node.annotation) or name == "_NS_PATH":
            continue
        field = default(node.value, known)
        arg = call(node.annotation)
        words = {k.arg: k.value for k in arg.keywords} if arg else {}
        annotated = ast.unparse(node.annotation).startswith("A[")
        if annotated and "no_cli" not in words:
            own = ast.literal_eval(words["cli_name"]) if "cli_name" in words else "--" + name.replace("_", "-")
            aliases = ast.literal_eval(words["aliases"]) if "aliases" in words else []
            field["flags"] = [own, *aliases]
        if "resolvable" in words:
            field["set"] = True
        fields[name] = field
    return fields


def registered(module: ast.Module) -> dict[str, Field]:
    """Flags by the attribute they fill, and the default that the parser itself fills in, from `add_argument` calls."""
    found: dict[str, Field] = {}
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "add_argument":
            names = [a.value for a in node.args if isinstance(a, ast.Constant) and str(a.value).startswith("--")]
            words = {k.arg: k.value for k in node.keywords}
            if not names:
                continue
            dest = words.get("dest")
            attribute = dest.value if isinstance(dest, ast.Constant) else str(names[0])[2:].replace("-", "_")
            field = found.setdefault(str(attribute), {"flags": []})
            field["flags"].extend(str(n) for n in names)
            if told := default(words.get("default"), {}):
                field["typed"] = told["default"]
    return found


def renamed(module: ast.Module) -> dict[str, str]:
    """`args.tp_size = args.tensor_parallel_size`: the field that a parsed attribute is copied to."""
    copies: dict[str, str] = {}
    for node in ast.walk(module):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Attribute):
            target, value = node.targets[0], node.value
            parsed = [leaf for leaf in (target, value) if ast.unparse(leaf).startswith("args.")]
            if isinstance(target, ast.Attribute) and len(parsed) == 2:
                copies[value.attr] = target.attr
    return copies


def assigned(code: ast.AST, owner: str) -> set[str]:
    """Attributes of `owner` that the code sets: on itself after parsing, or on `server_args` in a hook."""
    found = set()
    for node in ast.walk(code):
        targets = node.targets if isinstance(node, ast.Assign) else []
        targets = [node.target] if isinstance(node, ast.AugAssign) else targets
        for target in targets:
            for leaf in ast.walk(target):
                if isinstance(leaf, ast.Attribute) and ast.unparse(leaf.value) == owner:
                    found.add(leaf.attr)
    return found


def declared_later(module: ast.Module) -> set[str]:
    """Names that a hook declares a value for: keywords of `declare…(…)` and keys of the tables it returns."""
    found = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and "declare" in ast.unparse(node.func):
            found |= {k.arg for k in node.keywords if k.arg}
        elif isinstance(node, ast.Dict):
            found |= {k.value for k in node.keys if isinstance(k, ast.Constant) and isinstance(k.value, str)}
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            found |= {str(node.slice.value)} if isinstance(node.slice, ast.Constant) else set()
    return found


def namespaces(release: str) -> dict[str, Field]:
    """Fields of the releases that collect them from namespace classes, in the order of their constructor."""
    order = constants(wheels.tree(release, "sglang/srt/arg_groups/field_order.py"))["POSITIONAL_FIELD_ORDER"]
    fields: dict[str, Field] = {}
    for member in wheels.members(release, FIELDS):
        module = wheels.tree(release, member)
        known = constants(module)
        for node in module.body:
            if isinstance(node, ast.ClassDef) and "_NS_PATH" in ast.unparse(node):
                fields.update(declared(node.body, known))
    listed = [name for name in order if name in fields]
    return {name: fields[name] for name in listed + [n for n in fields if n not in set(listed)]}


def fields(release: str) -> dict[str, Field]:
    """Every field of ServerArgs of a release, in the order in which a dump prints them."""
    module = wheels.tree(release, SERVER_ARGS)
    server_args = class_named(module, "ServerArgs")
    found = declared(server_args.body, constants(module)) or namespaces(release)
    copies, own = renamed(module), assigned(server_args, "self")
    for member in wheels.members(release, "sglang/srt/arg_groups/"):
        hook = wheels.tree(release, member)
        own |= assigned(hook, "server_args") | declared_later(hook)
    for attribute, told in registered(module).items():
        name = copies.get(attribute, attribute)
        if name in found:
            found[name].setdefault("flags", told["flags"])
            if "typed" in told and told["typed"] != found[name].get("default", told["typed"]):
                found[name]["typed"] = told["typed"]  # a server of the command line starts with this one
    for name in own & set(found):
        found[name]["set"] = True
    return found


def changes(before: dict[str, Field], now: dict[str, Field]) -> dict[str, Any]:
    """What one release changed: names taken out, runs of names put in after another, and facts that differ."""
    kept = [name for name in now if name in before]
    old = [name for name in before if name in now]
    moved = set() if kept == old else _moved(old, kept)
    out = {name for name in before if name not in now} | moved
    put: dict[str, list[str]] = {}
    anchor = ""
    for name in now:
        if name not in before or name in moved:
            put.setdefault(anchor, []).append(name)
        else:
            anchor = name
    facts = {name: now[name] for name in now if before.get(name) != now[name]}
    told = {"out": sorted(out), "put": put, "facts": facts}
    return {key: value for key, value in told.items() if value}


def _moved(old: list[str], kept: list[str]) -> set[str]:
    """The fewest names to take out so that the others keep their order: all but a longest increasing run."""
    place = {name: i for i, name in enumerate(old)}
    runs: list[tuple[int, list[str]]] = [(0, [])]
    for name in kept:
        fits = [run for run in runs if not run[1] or place[run[1][-1]] < place[name]]
        length, longest = max(fits)
        runs.append((length + 1, [*longest, name]))
    return set(kept) - set(max(runs)[1])


def table() -> Iterator[tuple[str, Any]]:
    """The releases that changed something, with what they changed."""
    before: dict[str, Field] = {}
    for release in RELEASES:
        now = fields(release)
        changed = changes(before, now)
        if changed:
            yield release, changed
        before = now


def text() -> str:
    """The table as JSON, one release a line."""
    lines = [f"{json.dumps(release)}: {json.dumps(changed, ensure_ascii=False)}" for release, changed in table()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with the file instead of writing it")
    fresh = text()
    if parser.parse_args().check:
        same = TARGET.read_text() == fresh
        print(f"{TARGET.name}: {'as the wheels say' if same else 'differs from the wheels'}")
        return 0 if same else 1
    TARGET.write_text(fresh)
    print(f"{TARGET.name}: {len(fresh):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
