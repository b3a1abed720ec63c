"""What records are called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def names_of(ids: Sequence[Any]) -> Sequence[Any]:
    """Return what records with these ids are called.

    A repeated id gets ``#2``, ``#3``, as on the command line, past names that are ids themselves; a record without an
    id is called by its place.

    >>> names_of([1, 2, None]), names_of(["a", "b", "a", "a#2", "a"])
    ([1, 2, 2], ['a', 'b', 'a#3', 'a#2', 'a#4'])
    """
    texts = ["" if each is None or each != each else str(each) for each in ids]
    taken = set(texts) - {""}
    if len(taken) == len(texts):
        return ids
    counts: dict[str, int] = {}
    names: list[Any] = []
    for row, text in enumerate(texts):
        if not text:
            names.append(row)
        elif text not in counts:
            counts[text] = 1
            names.append(ids[row])
        else:
            counts[text] += 1
            while f"{text}#{counts[text]}" in taken:
                counts[text] += 1
            names.append(f"{text}#{counts[text]}")
    return names
