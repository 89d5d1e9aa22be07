from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tools.conformance import arguments, pool, sizing, wheels  # noqa: E402

HERE = [release for release in ("0.3.6", "0.5.9", "0.5.23") if list(wheels.folder().glob(f"sglang-{release}-*.whl"))]

pytestmark = pytest.mark.skipif(not HERE, reason="no wheels in $LOGSCOPE_WHEELS: `make conformance` fetches them")


@pytest.mark.parametrize("release", HERE)
def test_sizing_is_what_the_release_itself_computes(release: str) -> None:
    told = sizing.compare(release, 40)
    assert told.differences == []
    assert told.same > 40


@pytest.mark.parametrize("release", HERE)
def test_pools_are_what_the_release_itself_allocates(release: str) -> None:
    told = pool.compare(release, 40)
    assert told.differences == []
    assert told.same == 40


@pytest.mark.parametrize("release", HERE)
def test_the_argument_table_is_what_the_wheel_declares(release: str) -> None:
    from logscope.sglang import arguments as known

    declared = arguments.fields(release)
    assert list(declared) == list(known.fields(release))
    for name, fact in declared.items():
        assert known.fields(release)[name].has_default == ("default" in fact), name
        assert known.fields(release)[name].default == fact.get("default"), name
