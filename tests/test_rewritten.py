"""Arguments that the server rewrote are told from given ones, by the notices of the same launch."""

from __future__ import annotations

from pathlib import Path

import pytest

import logscope
from logscope.configuration import configuration
from logscope.facts.rewritten import rewritten
from logscope.launch import Launch

MLA = "At this moment Ascend attention backend only supports a page_size of 128, change page_size to 128."
CUTE = "CuteDSL MLA only supports page_size of 32 or 64, changing page_size from 16 to 64."
CHUNK = "DP attention is enabled. chunked prefill size is adjusted from 8192 to 1024."
STEPS = "DFLASH only supports speculative_num_steps == 1; overriding speculative_num_steps=3 to 1."
EXPERTS = "DeepEP MoE is enabled. The expert parallel size is adjusted to be the same as the tensor parallel size[8]."


def launch(path: Path, notice: str, arguments: str) -> Launch:
    path.write_text(
        f"[2026-02-28 11:00:00] {notice}\n[2026-02-28 11:00:00] server_args=ServerArgs(model_path='m', {arguments})\n"
    )
    return logscope.open_log(str(path)).launches[0]


@pytest.mark.parametrize(
    ("notice", "arguments", "name", "before"),
    [
        (CUTE, "page_size=64", "page_size", "16"),
        (MLA, "page_size=128", "page_size", ""),
        (CHUNK, "chunked_prefill_size=1024", "chunked_prefill_size", "8192"),
        (STEPS, "speculative_num_steps=1", "speculative_num_steps", "3"),
        (EXPERTS, "tp_size=8, ep_size=8", "ep_size", ""),
    ],
)
def test_a_notice_with_the_value_of_the_dump_tells_what_the_server_changed(
    notice: str, arguments: str, name: str, before: str, tmp_path: Path
) -> None:
    found = launch(tmp_path / "server.log", notice, arguments)
    assert {key: (one.before, one.line.line) for key, one in rewritten(found).items()} == {name: (before, 1)}
    (row,) = (row for row in configuration(found) if row["name"] == name)
    assert row["origin"] == "rewritten"
    assert before in row["why"]


@pytest.mark.parametrize(
    ("notice", "arguments"),
    [
        (CUTE, "page_size=32"),
        ("Tree cache initialized: source=default impl=UnifiedRadixCache hybrid_swa=False", "page_size=64"),
    ],
)
def test_a_notice_of_another_value_or_of_something_else_changes_no_origin(
    notice: str, arguments: str, tmp_path: Path
) -> None:
    assert rewritten(launch(tmp_path / "server.log", notice, arguments)) == {}
