"""Examples of docs/python.md are run, and the notebook too."""

import doctest
import re

import pytest
from conftest import ROOT

PAGE = ROOT / "docs" / "python.md"
NOTEBOOK = ROOT / "docs" / "examples" / "neardup.ipynb"


def test_examples_of_the_page_are_right(monkeypatch, tmp_path):
    pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text(encoding="utf-8")
    examples = "\n".join(re.findall(r"```pycon\n(.*?)```", text, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, PAGE.name, str(PAGE), 0)
    assert len(test.examples) > 30
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL)
    runner.run(test)
    assert runner.failures == 0


def test_the_notebook_runs(tmp_path):
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbclient.NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    shown = [
        output
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        if output.output_type in ("execute_result", "display_data")
    ]
    assert any("text/html" in output.data for output in shown)
    assert not any(output.output_type == "error" for cell in notebook.cells for output in cell.get("outputs", ()))
