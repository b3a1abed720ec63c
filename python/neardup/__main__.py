"""The command line: ``python -m neardup`` is the program ``neardup``."""

from __future__ import annotations

import os
import pathlib
import sys


def main() -> None:
    """Become the program that this package brings along."""
    program = pathlib.Path(__file__).parent / "bin" / "neardup"
    try:
        os.execv(program, ["neardup", *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"neardup: {program}: {error.strerror}")


if __name__ == "__main__":
    main()
