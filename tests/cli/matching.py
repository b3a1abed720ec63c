"""Does a text look as expected? Shared by the runners of this folder.

`...` alone on a line stands for any number of lines; inside a line for any characters.
"""
import difflib
import functools
import re


def line_matches(expected, actual):
    pattern = ".*".join(re.escape(piece) for piece in expected.split("..."))
    return re.fullmatch(pattern, actual, re.DOTALL) is not None


def matches(expected, actual):
    """Whether lists of lines match."""

    @functools.lru_cache(maxsize=None)
    def from_here(i, j):
        if i == len(expected):
            return j == len(actual)
        if expected[i].strip() == "...":
            return from_here(i + 1, j) or (j < len(actual) and from_here(i, j + 1))
        return j < len(actual) and line_matches(expected[i], actual[j]) and from_here(i + 1, j + 1)

    return from_here(0, 0)


def difference(expected, actual):
    """Nothing, or how two texts differ."""
    wanted, got = expected.splitlines(), actual.splitlines()
    if matches(tuple(wanted), tuple(got)):
        return None
    return "\n".join(difflib.unified_diff(wanted, got, "expected", "actual", lineterm="", n=100))
