#!/usr/bin/env python3
"""Installs neardup into a temporary prefix, moves it, and builds an outside program against it in two ways.

    run.py --cmake CMAKE --cxx COMPILER --build BUILD_FOLDER
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
EXPECTED = "2 kept, 1 removed\n"


def run(*command, **options):
    """Runs a command, shows its output when it fails, and returns its standard output."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        sys.exit(f"failed: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def check(program, how):
    said = run(program)
    if said != EXPECTED:
        sys.exit(f"the program built with {how} said {said!r}, expected {EXPECTED!r}")
    print(f"{how}: {said}", end="")


def main():
    parser = argparse.ArgumentParser()
    for name in ("cmake", "cxx", "build"):
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="neardup-install-") as folder:
        work = pathlib.Path(folder)
        run(options.cmake, "--install", options.build, "--prefix", work / "first")
        prefix = work / "moved"
        shutil.move(work / "first", prefix)

        run(options.cmake, "-S", HERE, "-B", work / "cmake", f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_CXX_COMPILER={options.cxx}")
        run(options.cmake, "--build", work / "cmake")
        check(work / "cmake" / "outside", "find_package")

        folders = ":".join(str(path) for path in prefix.rglob("pkgconfig"))
        environment = dict(os.environ, PKG_CONFIG_PATH=folders)
        flags = run("pkg-config", "--cflags", "--libs", "neardup", env=environment).split()
        run(options.cxx, "-std=c++20", HERE / "main.cpp", "-o", work / "with-pkg-config", *flags)
        check(work / "with-pkg-config", "pkg-config")

        said = run(prefix / "bin" / "neardup", "--version")
        if not said.startswith("neardup "):
            sys.exit(f"the installed program said {said!r}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
