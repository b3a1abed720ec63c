"""Items of an iterator, held so that they can be read again and again in bounded memory."""

from __future__ import annotations

import os
import pathlib
import pickle
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

_BATCH_ITEMS = 4096
_BATCH_BYTES = 1 << 20


class Spool:
    """Reads an iterator to its end. What exceeds `memory` bytes goes to a temporary file, which nobody else can see."""

    def __init__(self, items: Iterator[Any], memory: int, temp_folder: str | None) -> None:
        self._held: list[list[Any]] = []
        self._places: list[tuple[int, int]] = []  # of batches in the file: offset and size
        self._file: Any = None
        self._left = memory
        self._temp_folder = temp_folder
        self._end = 0
        batch: list[Any] = []
        size = 0
        for item in items:
            batch.append(item)
            size += _size(item)
            if size >= _BATCH_BYTES or len(batch) == _BATCH_ITEMS:
                self._add(batch, size)
                batch, size = [], 0
        if batch:
            self._add(batch, size)

    def _add(self, batch: list[Any], size: int) -> None:
        if self._file is None and size <= self._left:
            self._left -= size
            self._held.append(batch)
            return
        if self._file is None:
            if self._temp_folder is not None:
                pathlib.Path(self._temp_folder).mkdir(parents=True, exist_ok=True)
            self._file = tempfile.TemporaryFile(dir=self._temp_folder, prefix="neardup-")  # noqa: SIM115
        data = pickle.dumps(batch, pickle.HIGHEST_PROTOCOL)
        self._file.write(data)
        self._places.append((self._end, len(data)))
        self._end += len(data)

    def batches(self) -> Iterator[list[Any]]:
        """Give all items again, some at a time."""
        yield from self._held
        if self._file is not None:
            self._file.flush()
        for offset, size in self._places:
            yield pickle.loads(os.pread(self._file.fileno(), size, offset))


def _size(item: Any) -> int:
    if isinstance(item, str):
        return len(item) + 50
    if isinstance(item, dict):
        return 200 + sum(_size(value) for value in item.values())
    if isinstance(item, list | tuple | set | frozenset):
        return 60 + sum(_size(value) for value in item)
    return sys.getsizeof(item)
