"""The texts that a function can log, found by running its string building on marks in place of values.

Messages that are put together in pieces (`msg = …; msg += …; parts.append(…); ", ".join(parts)`) come out as every text
that its branches allow. A mark holds the format of its value: `\\x01.2f\\x02`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

START, END = "\x01", "\x02"
MARK = re.compile(f"{START}([^{END}]*){END}")
MOST_PATHS = 40
MOST_DEPTH = 3
LEVELS = {"debug", "info", "warning", "warn", "error", "exception", "critical", "fatal"}
Value = str | tuple["Value", ...]  # a text, or a list of them
Names = dict[str, Value]
Function = ast.FunctionDef | ast.AsyncFunctionDef


def mark(spec: str = "") -> str:
    return f"{START}{spec}{END}"


NOTHING = mark("None")


@dataclass(slots=True)
class Interpreter:
    """Runs functions of one release; `functions` finds those of a name that are called."""

    functions: Callable[[str], Sequence[Function]]
    logged: list[str] = field(default_factory=list)

    def run(self, function: Function) -> list[str]:
        """Every text that the function logs, raises or prints."""
        self.logged = []
        self._block(function.body, [{}], [], 0)
        return list(dict.fromkeys(self.logged))

    def _block(self, body: Sequence[ast.stmt], states: list[Names], returned: list[Value], depth: int) -> list[Names]:
        for statement in body:
            states = thinned(self._statement(statement, states, returned, depth))
        return states

    def _statement(self, node: ast.stmt, states: list[Names], returned: list[Value], depth: int) -> list[Names]:
        if isinstance(node, ast.If):
            self._calls(node.test, states, depth)
            yes = [kept for s in states if (kept := assumed(node.test, s, truth=True)) is not None]
            no = [kept for s in states if (kept := assumed(node.test, s, truth=False)) is not None]
            return [*self._block(node.body, yes, returned, depth), *self._block(node.orelse, no, returned, depth)]
        if isinstance(node, ast.Assign):
            for target in node.targets:
                states = self._assign(target, node.value, states, depth)
            return states
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            return self._assign(node.target, node.value, states, depth)
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            return self._extend(node.target.id, node.value, states, depth)
        if isinstance(node, ast.Return) and node.value is not None:
            returned.extend(v for s in states for v in self.values(node.value, s, depth))
            return []
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
            self.logged.extend(v for s in states for v in self.values(node.exc.args[0], s, depth) if isinstance(v, str))
            return []
        if isinstance(node, ast.Expr):
            return self._expression(node.value, states, depth)
        for name in ("body", "orelse", "finalbody"):
            states = self._block(getattr(node, name, []) or [], states, returned, depth)
        for handler in getattr(node, "handlers", []):
            self._block(handler.body, [dict(s) for s in states], returned, depth)
        return states

    def _assign(self, target: ast.expr, value: ast.expr, states: list[Names], depth: int) -> list[Names]:
        made = []
        for state in states:
            for found in self.values(value, state, depth):
                own = dict(state)
                if isinstance(target, ast.Name):
                    own[target.id] = found
                elif isinstance(target, ast.Tuple) and isinstance(found, tuple) and len(found) == len(target.elts):
                    own.update((t.id, v) for t, v in zip(target.elts, found, strict=True) if isinstance(t, ast.Name))
                elif isinstance(target, ast.Tuple):
                    own.update((t.id, mark()) for t in target.elts if isinstance(t, ast.Name))
                made.append(own)
        return made

    def _extend(self, name: str, value: ast.expr, states: list[Names], depth: int) -> list[Names]:
        return [
            {**state, name: added(state.get(name, mark()), found)}
            for state in states
            for found in self.values(value, state, depth)
        ]

    def _expression(self, node: ast.expr, states: list[Names], depth: int) -> list[Names]:
        function = node.func if isinstance(node, ast.Call) else None
        if isinstance(node, ast.Call) and isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
            name = function.value.id
            if function.attr == "append" and node.args:
                return [
                    {**s, name: (*s[name], v)} if isinstance(s.get(name), tuple) else s
                    for s in states
                    for v in self.values(node.args[0], s, depth)
                ]
        self._calls(node, states, depth)
        return states

    def _calls(self, node: ast.expr, states: list[Names], depth: int) -> None:
        """Note what the calls of an expression log."""
        for call in (n for n in ast.walk(node) if isinstance(n, ast.Call)):
            if depth or not speaks(call):
                continue
            for argument in call.args[:2]:
                found = [v for s in states for v in self.values(argument, s, depth) if isinstance(v, str)]
                found = [v for v in found if re.search("[A-Za-z]{3}", MARK.sub("", v))]
                texts = [percent(v) for v in found] if len(call.args) > 1 else found
                self.logged.extend(texts)
                if texts:
                    break

    def values(self, node: ast.expr, names: Names, depth: int) -> list[Value]:  # noqa: PLR0911
        """The values that an expression can have: texts with marks, or tuples of them."""
        if isinstance(node, ast.Constant):
            return [node.value if isinstance(node.value, str) else NOTHING if node.value is None else mark()]
        if isinstance(node, ast.Name):
            return [names.get(node.id, mark())]
        if isinstance(node, ast.JoinedStr):
            return [*joined([self._part(part, names, depth) for part in node.values])]
        if isinstance(node, ast.List | ast.Tuple):
            return [tuple(self.values(e, names, depth)[0] for e in node.elts)]
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            left, right = self.values(node.left, names, depth), self.values(node.right, names, depth)
            return [added(a, b) for a in left for b in right][:MOST_PATHS]
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            return [percent(v) for v in self.values(node.left, names, depth) if isinstance(v, str)] or [mark()]
        if isinstance(node, ast.IfExp):
            return [*self.values(node.body, names, depth), *self.values(node.orelse, names, depth)]
        if isinstance(node, ast.Call):
            return self._called(node, names, depth)
        return [mark()]

    def _part(self, node: ast.expr, names: Names, depth: int) -> list[str]:
        if not isinstance(node, ast.FormattedValue):
            return [v for v in self.values(node, names, depth) if isinstance(v, str)]
        spec = "".join(str(p.value) for p in getattr(node.format_spec, "values", ()) if isinstance(p, ast.Constant))
        if spec or node.conversion != -1:
            return [mark(spec)]
        return [v if isinstance(v, str) else mark() for v in self.values(node.value, names, depth)]

    def _called(self, node: ast.Call, names: Names, depth: int) -> list[Value]:
        if isinstance(node.func, ast.Attribute) and node.func.attr == "join" and node.args:
            separators = self.values(node.func.value, names, depth)
            lists = self.values(node.args[0], names, depth)
            return [
                str(s).join(v for v in parts if isinstance(v, str)) if isinstance(parts, tuple) else mark()
                for s in separators
                for parts in lists
            ]
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        returned: list[Value] = []
        for function in self.functions(name) if depth < MOST_DEPTH else ():
            self._block(function.body, [{}], returned, depth + 1)
        return list(dict.fromkeys(returned))[:MOST_PATHS] or [mark()]


def assumed(test: ast.expr, state: Names, *, truth: bool) -> Names | None:
    """The state with a condition assumed, or None where what it holds already says otherwise."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return assumed(test.operand, state, truth=not truth)
    if isinstance(test, ast.Name) and isinstance(state.get(test.id), tuple):
        return dict(state) if bool(state[test.id]) == truth else None
    if isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id in state:
        operator, against = test.ops[0], test.comparators[0]
        if isinstance(against, ast.Constant) and against.value is None and isinstance(operator, ast.Is | ast.IsNot):
            nothing = state[test.left.id] == NOTHING
            return dict(state) if (nothing == isinstance(operator, ast.Is)) == truth else None
    key = f"if {ast.unparse(test)}"
    if state.get(key, str(truth)) != str(truth):
        return None
    return {**state, key: str(truth)}


def added(first: Value, second: Value) -> Value:
    """The sum of two texts or lists; of two numbers, a mark."""
    if isinstance(first, tuple) and isinstance(second, tuple):
        return (*first, *second)
    if isinstance(first, str) and isinstance(second, str) and MARK.sub("", first + second):
        return first + second
    return mark()


def speaks(call: ast.Call) -> bool:
    """Whether a call prints its first or second argument."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    owner = ast.unparse(call.func.value).lower() if isinstance(call.func, ast.Attribute) else ""
    logs = name.removesuffix("_once") in LEVELS and "log" in owner
    return logs or name in ("print", "warn") or bool(re.match(r"log_\w+_on_rank0$|rank0_(log|print)$", name))


def percent(text: str) -> str:
    """A %-format with its conversions as marks."""
    text = re.sub(r"%(?:\(\w+\))?[-+ #0]*[\d*]*(\.\d+[feg]|[dfeg])", lambda m: mark(m[1]), text)
    return re.sub(r"%(?:\(\w+\))?[-+ #0]*\d*[sra]", mark(), text).replace("%%", "%")


def joined(parts: Iterable[list[str]]) -> Iterator[str]:
    texts = [""]
    for choices in parts:
        texts = [text + choice for text in texts for choice in choices][:MOST_PATHS]
    yield from texts


def thinned(states: list[Names]) -> list[Names]:
    """At most so many states, evenly from all, each once."""
    unique = list({repr(sorted(s.items())): s for s in states}.values())
    step = max(1, -(-len(unique) // MOST_PATHS))
    return unique[::step]
