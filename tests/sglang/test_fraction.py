from __future__ import annotations

import itertools
import json
import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logscope.errors import FactMissing, NotApplicable
from logscope.quantity import Interval
from logscope.server_arguments import arguments_of
from logscope.sglang import RELEASES, arguments, devices, dump, fraction, graphs
from logscope.sglang.inputs import Inputs, VisionTower
from logscope.sglang.sizing import changed_in, sizing

SHARED = Path(os.environ.get("LOGSCOPE_SHARED") or Path(__file__).resolve().parents[2] / "../shared")
REAL = sorted((SHARED / "reallogs").glob("*.log"))

CARDS = (24564, 32607, 46068, 81559, 97887, 122570, 143771, 183359)
WORKED = {  # automatic fraction on CARDS: one rank, eight ranks
    "0.4.5": (".880 " * 8, ".810 " * 8),
    "0.4.6": (".880 .880 .880 .880 .864 .891 .907 .927", ".810 .810 .810 .810 .864 .891 .907 .927"),
    "0.4.6.post5": (".880 .880 .880 .880 .880 .850 .872 .899", ".810 .810 .810 .810 .880 .850 .872 .899"),
    "0.4.7": (".880 .880 .880 .880 .880 .850 .872 .790", ".810 .810 .810 .810 .880 .850 .872 .790"),
    "0.4.8": (".879 .909 .778 .874 .869 .896 .911 .821", ".850 .887 .700 .831 .833 .866 .886 .821"),
    "0.5.9": (".847 .885 .851 .835 .863 .890 .907 .857", ".806 .854 .826 .818 .848 .879 .897 .852"),
    "0.5.19": (".833 .874 .843 .830 .858 .887 .903 .854", ".792 .843 .818 .812 .844 .875 .893 .849"),
    "0.5.23": (".704 .777 .843 .830 .858 .887 .903 .854", ".658 .742 .818 .812 .844 .875 .893 .849"),
}


@pytest.mark.parametrize("release", WORKED)
def test_automatic_fractions_are_those_of_the_worked_table(release: str) -> None:
    for ranks, row in zip((1, 8), WORKED[release], strict=True):
        for capacity, expected in zip(CARDS, row.split(), strict=True):
            computed = fraction.automatic_fraction(release, Inputs(capacity_mib=capacity, tp_size=ranks))
            assert computed == pytest.approx(float(expected), abs=5.1e-4), (capacity, ranks)


def test_every_release_file_changes_something_and_belongs_to_a_listed_release() -> None:
    assert set(changed_in()) <= set(RELEASES)
    rules = [sizing(release) for release in changed_in()]
    assert all(a != b for a, b in itertools.pairwise(rules))


def test_a_release_without_a_file_follows_the_one_before() -> None:
    assert sizing("0.5.12") is sizing("0.5.11")
    assert sizing("0.5.0rc2") is sizing("0.4.10.post2")
    assert sizing("0.6.0") is sizing("0.5.23")


def test_an_unreadable_capacity_gives_the_constant_of_its_time_or_a_failed_start() -> None:
    assert fraction.automatic_fraction("0.5.19", Inputs()) == 0.88
    assert fraction.automatic_fraction("0.5.20", Inputs()) == 0.95
    with pytest.raises(NotApplicable, match="fails at start"):
        fraction.automatic_fraction("0.4.6", Inputs())


def test_a_vision_encoder_takes_what_its_size_says() -> None:
    assert fraction.encoder_factor(VisionTower()) == pytest.approx(0.95)
    assert fraction.encoder_factor(VisionTower(1000, 9999)) == pytest.approx(0.95 * 0.8)
    seen = Inputs(capacity_mib=81559, multimodal=True, vision=VisionTower(27, 1152))
    assert fraction.automatic_fraction("0.4.10", seen) == pytest.approx(0.874 * 0.9097363, rel=1e-6)


def test_what_the_runner_takes_unseen_is_named() -> None:
    rocm = Inputs(device="hip", aiter=True, context_tokens=131072, capacity_mib=196592)
    assert fraction.hidden_factor("0.4.8.post1", rocm) == 0.85
    assert fraction.hidden_factor("0.5.5", rocm) == 1.0
    assert fraction.automatic_fraction("0.5.5", rocm) < fraction.automatic_fraction("0.5.4", rocm)
    assert fraction.hidden_factor("0.4.8", Inputs(multimodal=True)) == 0.9
    assert [factor for factor, _ in fraction.hidden_factors("0.4.7")] == [0.9, 0.85]
    assert fraction.hidden_factors("0.5.9") == ()


@given(st.sampled_from(("0.4.8", "0.5.2", "0.5.9", "0.5.14", "0.5.23")), st.integers(20_000, 300_000))
def test_an_automatic_fraction_leads_back_to_its_device(release: str, capacity: int) -> None:
    inputs = Inputs(capacity_mib=capacity, chunked_prefill_size=4096, graph_max_batch=64, prefill_graphs=False)
    printed = fraction.automatic_fraction(release, inputs)
    found = fraction.implied_capacities(release, inputs, printed)
    assert any(capacity in span.widened(1e-6) for span in found)


def test_chunk_and_graph_defaults_follow_the_device() -> None:
    assert graphs.chunked_prefill_size("0.2.5", Inputs()) is None
    assert graphs.chunked_prefill_size("0.3.6", Inputs(capacity_mib=24564)) == 2048
    assert graphs.chunked_prefill_size("0.3.6", Inputs(capacity_mib=24564, chunked_prefill_size=4096)) == 1024
    assert graphs.chunked_prefill_size("0.5.19", Inputs(capacity_mib=24564)) == 2048
    assert graphs.chunked_prefill_size("0.5.20", Inputs(capacity_mib=24564)) == 4096
    attention = Inputs(capacity_mib=143771, tp_size=8, dp_size=8, dp_attention=True)
    assert graphs.chunked_prefill_size("0.5.9", attention) == 1024
    assert graphs.graph_max_batch("0.5.22", Inputs(capacity_mib=81559, max_running_requests=48)) == 48
    with pytest.raises(NotApplicable, match="capture"):
        graphs.graph_max_batch("0.5.2", Inputs(capacity_mib=81559))
    assert graphs.capture_ceiling(Inputs(capacity_mib=143771)) == 256


@pytest.mark.parametrize(("cap", "count"), [(4096, 50), (8192, 58), (16384, 74)])
def test_captured_prefills_are_as_many_as_the_release_lists(cap: int, count: int) -> None:
    assert len(graphs.coarse_shapes(cap)) == count


def test_a_device_says_what_its_reading_cannot_see() -> None:
    assert devices.free_memory("xpu", "0.5.14").counts == "process"
    assert devices.free_memory("cuda", "0.5.3", integrated=True).counts == "card"
    assert devices.free_memory("cuda", "0.5.9", integrated=True).counts == "machine"
    assert "container" in devices.free_memory("cpu", "0.5.22").blind_to
    assert not devices.reads_capacity("cpu", "0.5.2")
    assert devices.reads_capacity("cpu", "0.5.3")


def test_a_dump_gives_the_inputs_and_a_shortened_one_says_what_is_missing() -> None:
    with pytest.raises(FactMissing, match="chunked_prefill_size"):
        dump.inputs({"tp_size": 8, "dp_size": 1, "enable_dp_attention": False}, "0.5.9", capacity_mib=None)
    config = "CudaGraphConfig(decode=PhaseConfig(backend='full', max_bs=24, bs=[1, 2, 24]), prefill=PhaseConfig(backend='breakable', max_bs=2048, bs=[4, 8]))"
    names = {name: field.default for name, field in arguments.fields("0.5.15").items()}
    found = dump.inputs(
        {**names, "chunked_prefill_size": 2048, "cuda_graph_config": config}, "0.5.15", capacity_mib=24564
    )
    assert (found.graph_max_batch, found.prefill_graph_shapes, found.prefill_graphs_breakable) == (24, 2, True)


def test_the_undivided_chunk_is_what_the_fraction_saw() -> None:
    names = {name: field.default for name, field in arguments.fields("0.5.9").items()}
    printed = {**names, "tp_size": 8, "dp_size": 8, "enable_dp_attention": True, "chunked_prefill_size": 1024}
    assert dump.inputs(printed, "0.5.9", capacity_mib=143771).chunked_prefill_size == 8192


# What the machine of the real logs has: the host's memory up to 0.5.22, from 0.5.23 on that of its control group.
MACHINE_MIB = {"0.5.9": 23386, "0.5.15": 23386, "0.5.23": 24105.55}


@pytest.mark.skipif(not REAL, reason="the real logs of ../shared are not here")
def test_automatic_fractions_of_real_starts_lead_back_to_their_machine() -> None:
    judged = 0
    for log in REAL:
        release = log.name.split("-", 1)[0]
        text = re.search(r"server_args=.*", log.read_text(errors="replace"))
        if text is None or release not in MACHINE_MIB or "--mem-fraction-static" in _command(log):
            continue
        printed = arguments_of(text[0])
        inputs = dump.inputs(printed, release, capacity_mib=MACHINE_MIB[release])
        if printed["mem_fraction_static"] == fraction.automatic_fraction(release, Inputs(device="cpu")):
            continue  # two ranks bound to cores: the capacity is not read
        assert fraction.automatic_fraction(release, inputs) == printed["mem_fraction_static"], log.name
        judged += 1
    assert judged > 25


def _command(log: Path) -> list[str]:
    truth = json.loads((log.parent / (log.name.removesuffix(".log") + ".truth.json")).read_text())
    command: list[str] = truth["command"]
    return command


def test_captured_batches_are_listed_up_to_the_largest() -> None:
    assert graphs.decode_shapes("0.5.9", 24) == [1, 2, 4, 8, 12, 16, 24]
    assert graphs.decode_shapes("0.5.9", 30)[-1] == 24
    assert graphs.decode_shapes("0.5.10", 30)[-1] == 30
    assert 64 not in graphs.decode_shapes("0.5.3", 80, speculative=True)
    assert 64 in graphs.decode_shapes("0.5.5", 80, speculative=True)
    assert graphs.decode_shapes("0.5.23", 3, padded=False) == [1, 2, 3]
    with pytest.raises(NotApplicable, match="capture"):
        graphs.decode_shapes("0.5.2", 24)


def test_a_capacity_names_its_devices() -> None:
    assert "H100-SXM5-80GB" in devices.known(Interval(81_548, 82_029))
    assert devices.known(Interval(55_000, 55_100)) == []
