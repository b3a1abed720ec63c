"""What the tests of Parquet and Arrow files have in common.

    NAME.py PROGRAM      exit code 77: something is missing (ctest: skipped)
"""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import traceback

SKIPPED = 77
PROGRAM = os.path.abspath(sys.argv[1])
if not (pathlib.Path(PROGRAM).parent / "libneardup-arrow.so").exists():
    print("there is no Arrow plugin here (make arrow)")
    sys.exit(SKIPPED)
try:
    import pyarrow  # noqa: F401
except ImportError:
    print("pyarrow is not installed (tools/setup.sh python)")
    sys.exit(SKIPPED)

failures = []


def check(condition, what):
    if not condition:
        failures.append(what)
        print(f"not so: {what}")


def neardup(*arguments, code=0, environment=None, folder=None):
    """Runs the program; returns (standard output, standard error)."""
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, check=False, cwd=folder,
                          env={**os.environ, **(environment or {})})
    error = done.stderr.decode(errors="replace")
    check(done.returncode == code, f"exit code {code}, not {done.returncode}: {' '.join(map(str, arguments))}\n{error}")
    return done.stdout, error


WORDS = [f"word{i}" for i in range(500)]


def texts(count, seed=1):
    """Random texts; every fourth repeats an earlier one, with a word changed half of the time."""
    rng = random.Random(seed)
    out = []
    for i in range(count):
        if i % 4 == 3:
            words = out[rng.randrange(len(out))].split()
            if rng.random() < 0.5:
                words[rng.randrange(len(words))] = rng.choice(WORDS)
            out.append(" ".join(words))
        else:
            out.append(" ".join(rng.choice(WORDS) for _ in range(rng.randrange(40, 80))))
    return out


def write_jsonl(path, rows):
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def read_jsonl(path):
    return [json.loads(line) for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines()]


def main(*cases):
    for case in cases:
        with tempfile.TemporaryDirectory() as folder:
            before = len(failures)
            try:
                case(pathlib.Path(folder))
            except Exception:  # the other cases are worth a look too
                failures.append(case.__name__)
                traceback.print_exc(limit=-2)
            print(f"{'ok' if len(failures) == before else 'FAILED'}: {case.__name__.replace('_', ' ')}")
    sys.exit(1 if failures else 0)
