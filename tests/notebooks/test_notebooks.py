"""Every notebook runs from top to bottom, is committed without outputs, and uses the public library only."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "notebooks").glob("*.ipynb"))


def test_there_are_notebooks_and_each_is_named_by_its_question() -> None:
    assert NOTEBOOKS
    for path in NOTEBOOKS:
        title = nbformat.read(path, as_version=4).cells[0].source.split("\n")[0]
        assert re.sub(r"\W+", "-", title.lower()).strip("-") == path.stem


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_holds_no_output_and_imports_nothing_private(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell for cell in code if cell.outputs or cell.execution_count] == []
    assert not re.search(r"logscope\.\w+ import|import logscope\.|logscope\._", "\n".join(cell.source for cell in code))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::RuntimeWarning")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_top_to_bottom(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    client = nbclient.NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}}
    )
    client.execute()
    assert all(
        output.output_type != "error" for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs
    )
