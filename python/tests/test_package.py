"""The package as a whole: import, command line, types, documentation."""

import doctest
import importlib
import pathlib
import pkgutil
import shutil
import subprocess
import sys

import neardup
import pytest
from conftest import FOXES, ROOT, write_jsonl

SOURCES = ROOT / "python" / "neardup"


def python(*arguments, **more):
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False, **more)


def modules():
    return [
        name
        for _, name, _ in pkgutil.iter_modules(neardup.__path__, "neardup.")
        if not name.endswith(("_core", "__main__"))
    ]


@pytest.mark.parametrize("name", ["neardup", *modules()])
def test_examples_in_docstrings_are_right(name):
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert failed == 0


def test_import_loads_none_of_the_large_packages():
    code = "import sys, neardup; print([m for m in ('numpy', 'pandas', 'pyarrow', 'polars', 'tqdm', 'sklearn', 'datasets') if m in sys.modules])"
    assert python("-c", code).stdout == "[]\n"


def test_python_m_neardup_is_the_command_line(tmp_path):
    file = write_jsonl(tmp_path / "a.jsonl", [{"id": n, "text": text} for n, text in enumerate(FOXES)])
    run = python("-m", "neardup", "dedup", str(file), "-o", "-")
    assert run.returncode == 0
    assert run.stdout.count("\n") == 2
    assert python("-m", "neardup", "dedup", str(tmp_path / "no.jsonl")).returncode == 2
    assert neardup.__version__ in python("-m", "neardup", "--version").stdout


def test_everything_public_is_documented():
    for name in neardup.__all__:
        value = getattr(neardup, name)
        assert value.__doc__, name


def test_versions_say_what_is_inside():
    assert any(version.startswith("ICU") for version in neardup.library_versions())
    assert neardup.active_kernels()


def test_types_are_complete():
    pytest.importorskip("mypy")
    assert (SOURCES / "py.typed").exists()
    stub = SOURCES / "_core.pyi"
    run = python("-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), cwd=ROOT)
    assert run.returncode == 0, run.stdout
    package = pathlib.Path(neardup._core.__file__).parents[1]
    fresh = python(str(ROOT / "python" / "make_stubs.py"), str(package))
    assert stub.read_text() == fresh.stdout, "the stub is out of date: make stubs"


def test_ruff_finds_nothing():
    if shutil.which("ruff") is None and importlib.util.find_spec("ruff") is None:
        pytest.skip("ruff is not installed")
    for command in (["check"], ["format", "--check"]):
        run = python("-m", "ruff", *command, "python", cwd=ROOT)
        assert run.returncode == 0, run.stdout
