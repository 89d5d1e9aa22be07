"""The pool that a running server reported of itself is the one that its log computes."""

from __future__ import annotations

import json
from pathlib import Path

import logscope
from logscope import whatif
from logscope.starts import Named, start


def test_the_pool_that_a_server_reported_is_reproduced_from_its_log(shared: Path) -> None:
    folder = shared / "reallogs"
    reported = {path: json.loads(path.read_text()).get("pool_size_reported") for path in folder.glob("*.truth.json")}
    judged = 0
    for truth, tokens in sorted(reported.items()):
        if tokens is None:
            continue
        log = truth.with_name(truth.name.replace(".truth.json", ".log"))
        found = start(logscope.open_log(str(log)), Named(str(log)))
        base = whatif.baseline(found.facts, found.setting)
        assert base.agrees, log.name
        assert tokens in whatif.predicted(base)["max_total_num_tokens"].interval, log.name
        judged += 1
    assert judged >= 30
