"""What is wrong with a document that should fit one of logscope's JSON Schemas.

Reads the keywords that these schemas use (`$ref` into `$defs`, `type`, `const`, `enum`, `required`, `properties`,
`items`, `additionalProperties` as a schema), so that a kept report is checked without a validator being installed.
Tests hold it against `jsonschema`.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

FAULTS_MAX = 100
_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}


@functools.cache
def schema(name: str) -> dict[str, Any]:
    """A JSON Schema that ships with the package: "report-1", "prediction-1", "comparison-1"."""
    file = Path(__file__).parents[1] / "schema" / f"{name}.json"
    return dict(json.loads(file.read_text(encoding="utf-8")))


def faults(document: Any, name: str) -> list[str]:
    """Sentences that say where the document departs from the schema; empty when it fits; at most FAULTS_MAX."""
    root = schema(name)
    found = []
    for fault in _faults(document, root, root, "report"):
        found.append(fault)
        if len(found) >= FAULTS_MAX:
            break
    return found


def _faults(value: Any, rule: Mapping[str, Any], root: Mapping[str, Any], at: str) -> Iterator[str]:
    if "$ref" in rule:
        rule = {**root["$defs"][rule["$ref"].rpartition("/")[2]], **{k: v for k, v in rule.items() if k != "$ref"}}
    kinds = rule.get("type", ())
    kinds = (kinds,) if isinstance(kinds, str) else tuple(kinds)
    if kinds and not any(_is(value, kind) for kind in kinds):
        yield f"{at} is {type(value).__name__} where {' or '.join(kinds)} is due"
        return
    if "const" in rule and value != rule["const"]:
        yield f"{at} is {value!r} where {rule['const']!r} is due"
    if "enum" in rule and value not in rule["enum"]:
        yield f"{at} is {value!r}, none of {', '.join(map(str, rule['enum']))}"
    if isinstance(value, dict):
        yield from (f"{at} has no {name!r}" for name in rule.get("required", ()) if name not in value)
        named = rule.get("properties", {})
        others = rule.get("additionalProperties", {})
        for name, member in value.items():
            inner = named.get(name, others if isinstance(others, dict) else {})
            if inner:
                yield from _faults(member, inner, root, f"{at}.{name}")
    elif isinstance(value, list) and rule.get("items"):
        for number, item in enumerate(value):
            yield from _faults(item, rule["items"], root, f"{at}[{number}]")


def _is(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, _TYPES[kind])
