#!/usr/bin/env python3
"""Tries wheels in empty environments.

    tools/try_wheels.py FOLDER

Every wheel is installed for every interpreter here that takes it (python3, python3.12, ..., and those of pyenv), with
numpy and nothing else, and used once. What its libraries load from outside the wheel may only be what manylinux wheels
expect of a system: the C library, and the C++ library and zlib, which apt and dpkg need on every Debian.
Prints one line per interpreter and exits 1 when something fails.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# What auditwheel leaves out of every wheel.
SYSTEM = re.compile(r"linux-vdso|ld-linux|/(?:libc|libm|libpthread|libdl|librt|libresolv|libstdc\+\+|libgcc_s|libz)\.so")
EXAMPLE = """
import neardup, sys
result = neardup.deduplicate(["one two three four five six", "One two three four five six!", "Straße 日本"])
assert result.kept == ["one two three four five six", "Straße 日本"], result.kept
assert result.pairs == [(0, 1, 1.0)]
print(neardup.__version__, sys.version.split()[0], result)
"""


def interpreters():
    """Paths of all interpreters from 3.11 on, each version once."""
    found = {}
    candidates = [shutil.which(f"python3.{minor}") for minor in range(11, 20)] + [shutil.which("python3")]
    candidates += map(str, sorted(pathlib.Path.home().glob(".pyenv/versions/3.*/bin/python3")))
    for candidate in filter(None, candidates):
        run = subprocess.run([candidate, "-c", "import sys; print(*sys.version_info[:2])"], capture_output=True, text=True, check=False)
        if run.returncode == 0 and (version := tuple(map(int, run.stdout.split()))) >= (3, 11):
            found.setdefault(version, candidate)
    return found


def foreign_libraries(package):
    """What the files of an installed package load from outside of it, the system aside."""
    foreign = set()
    for file in [*package.parent.glob("neardup.libs/*"), *package.glob("_core*.so"), package / "bin/neardup"]:
        listed = subprocess.run(["ldd", str(file)], capture_output=True, text=True, check=True, env={}).stdout
        for line in listed.splitlines():
            if "not found" in line or (str(package.parent) not in line and "=>" in line and not SYSTEM.search(line)):
                foreign.add(line.strip())
    return foreign


def try_one(interpreter, folder):
    with tempfile.TemporaryDirectory() as work:
        venv = pathlib.Path(work) / "venv"
        subprocess.run([interpreter, "-m", "venv", str(venv)], check=True)
        pip = [str(venv / "bin/python"), "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
        subprocess.run([*pip, "--find-links", str(folder), "--no-index", "--no-deps", "neardup"], check=True)
        subprocess.run([*pip, "numpy"], check=True)
        bare = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
        subprocess.run([str(venv / "bin/python"), "-I", "-c", EXAMPLE], check=True, env=bare, cwd=work)
        subprocess.run([str(venv / "bin/neardup"), "--version"], check=True, env=bare, cwd=work, stdout=subprocess.DEVNULL)
        package = next(venv.glob("lib/python*/site-packages/neardup"))
        return foreign_libraries(package)


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    failed = False
    for version, interpreter in sorted(interpreters().items()):
        foreign = try_one(interpreter, folder)
        print(f"python {version[0]}.{version[1]}: {'ok' if not foreign else foreign}")
        failed = failed or bool(foreign)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
