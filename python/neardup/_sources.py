"""What data may be: every kind of it gives the library documents, and takes rows back out of itself."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _core
from ._errors import UsageError
from ._options import Options

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Rows = npt.NDArray[np.int64]


class Pair(NamedTuple):
    """Two documents and their score: ids where there are any, else places counted from 0."""

    left: Any
    right: Any
    score: float


class Source(ABC):
    """Data in one of the types that users have them in."""

    is_table = False

    def __init__(self, options: Options, run: Options) -> None:
        self.options = options
        self.run = run
        self.fields: tuple[str, ...] = ()  # that keep rules ask for
        self._collection: _core.Collection | None = None

    @property
    def collection(self) -> _core.Collection:
        """The documents as the library reads them."""
        if self._collection is None:
            self._collection = self.open()
        return self._collection

    @property
    def id_field(self) -> str:
        """The name of the column of ids, given or not."""
        return str(self.options.get("id_field", "id"))

    def collection_of(self, documents: _core.Documents) -> _core.Collection:
        """Make a collection of documents in memory, as the options for reading say."""
        return _core.collection_of(documents, self.options)

    @abstractmethod
    def open(self) -> _core.Collection:
        """Make the collection."""

    @abstractmethod
    def take(self, rows: Rows) -> Any:
        """Return these rows in the type that the data have."""

    @abstractmethod
    def ids(self) -> Sequence[Any] | None:
        """Return the id of every row, None where a row has none, or None when no row has one."""

    def field_names(self) -> Sequence[str] | None:
        """Return the names of all fields; None when they are not known before reading."""
        return None

    def texts(self, rows: Sequence[int]) -> list[str]:
        """Return the texts of a few rows."""
        return [text for _, _, text, _ in documents(self.collection, set(rows))]

    def table(self, columns: Mapping[str, Any], row: type[tuple[Any, ...]]) -> Any:
        """Return columns as a table of the type that the data have; lists of `row` where data are no table."""
        values = [column.tolist() if hasattr(column, "tolist") else column for column in columns.values()]
        return [row(*each) for each in zip(*values, strict=True)]


def documents(collection: _core.Collection, rows: set[int] | None = None) -> Iterator[tuple[int, str, str, list[Any]]]:
    """Read a collection: row, id, text and fields of each document, or of these rows."""
    stream = _core.DocumentStream(collection)
    left = None if rows is None else len(rows)
    while batch := stream.next(256):
        for document in batch:
            if rows is None or document[0] in rows:
                yield document
                if left is not None:
                    left -= 1
                    if left == 0:
                        return


class Listed(Source):
    """A list or tuple of str, of dicts or of collections of ints."""

    def __init__(self, data: Sequence[Any], options: Options, run: Options) -> None:
        super().__init__(options, run)
        self.data = data
        self.objects = tuple(data)  # what is read stays the same, whatever becomes of the list

    def open(self) -> _core.Collection:
        if "text_fields" in self.options and self.objects and not any(isinstance(x, Mapping) for x in self.objects):
            raise UsageError("text names a field, but the data are not records with fields", "text")
        return self.collection_of(_core.documents_of_items(self.objects, self.options))

    def field_names(self) -> Sequence[str] | None:
        names: dict[str, None] = {}
        for record in self.objects:
            if isinstance(record, dict):
                names.update(dict.fromkeys(record))
        return [name for name in names if isinstance(name, str)]

    def take(self, rows: Rows) -> Any:
        taken = [self.objects[row] for row in rows.tolist()]
        return tuple(taken) if isinstance(self.data, tuple) else taken

    def ids(self) -> Sequence[Any] | None:
        return ids_of(self.objects, self.id_field)


def ids_of(objects: Iterable[Any], field: str) -> Sequence[Any] | None:
    """Return the ids of records, or None when none has one."""
    ids = [field_of(each, field) for each in objects]
    return None if all(each is None or each == "" for each in ids) else ids


def field_of(record: Any, field: str) -> Any:
    """Return a field of a dict, also by a path such as ``a.b``; None when it is not there."""
    if not isinstance(record, dict):
        return None
    if field in record or "." not in field:
        return record.get(field)
    for step in field.split("."):
        if not isinstance(record, dict):
            return None
        record = record.get(step)
    return record


class Records:
    """Records that are read again whenever somebody iterates over them. `len()` says how many there are."""

    def __init__(self, source: Streamed | Files, rows: Rows) -> None:
        self._source = source
        self._rows = rows

    def __len__(self) -> int:
        """Return how many records there are."""
        return len(self._rows)

    def __iter__(self) -> Iterator[Any]:
        """Read the records."""
        return self._source.read(self._rows)

    def __repr__(self) -> str:
        """Say what this is."""
        return f"<{len(self):,} records, read when iterated over>"


class Streamed(Source):
    """What an iterator gave: in memory while it is little, else in a temporary file."""

    def __init__(self, data: Iterator[Any], options: Options, run: Options) -> None:
        super().__init__(options, run)
        from ._spool import Spool

        limit = run.get("memory") or _core.default_memory_bytes()
        self.spool = Spool(data, limit // 4, run.get("temp_folder"))

    def open(self) -> _core.Collection:
        first = next(self.spool.batches(), [])
        return self.collection_of(_core.documents_of_batches(self.spool.batches, first, self.options))

    def read(self, rows: Rows) -> Iterator[Any]:
        """Give the items of these ascending rows."""
        begin, wanted = 0, iter(rows.tolist())
        row = next(wanted, None)
        for batch in self.spool.batches():
            while row is not None and row < begin + len(batch):
                yield batch[row - begin]
                row = next(wanted, None)
            begin += len(batch)

    def take(self, rows: Rows) -> Any:
        return Records(self, rows)

    def ids(self) -> Sequence[Any] | None:
        return ids_of((item for batch in self.spool.batches() for item in batch), self.id_field)


class Files(Source):
    """Files, folders and globs."""

    def __init__(self, data: Sequence[str], options: Options, run: Options, named_by: str = "") -> None:
        super().__init__(options, run)
        self.paths = list(data)
        self.named_by = named_by

    def open(self) -> _core.Collection:
        return _core.open_collection(self.paths, self.options, self.run, self.named_by)

    def read(self, rows: Rows) -> Iterator[dict[str, Any]]:
        """Read the records of these ascending rows."""
        names = self.options.get("extra_fields", ())
        for row, key, text, fields in documents(self.collection, set(rows.tolist())):
            yield {"id": key or row, "text": text, **dict(zip(names, fields, strict=True))}

    def take(self, rows: Rows) -> Any:
        return Records(self, rows)

    def ids(self) -> Sequence[Any] | None:
        keys = {row: key for row, key, _, _ in documents(self.collection)}
        if not any(keys.values()):
            return None
        return [keys.get(row) or None for row in range(max(keys) + 1)]


def source_of(data: Any, options: Options, run: Options, named_by: str = "") -> Source:
    """Return the source for data of any type that is understood."""
    if isinstance(data, str | os.PathLike):
        return Files([os.fspath(data)], options, run, named_by)
    if isinstance(data, list | tuple):
        if data and all(isinstance(each, os.PathLike) for each in data):
            return Files([os.fspath(each) for each in data], options, run, named_by)
        return Listed(data, options, run)
    from ._tables import table_source

    table = table_source(data, options, run)
    if table is not None:
        return table
    if isinstance(data, bytes | bytearray | memoryview | Mapping) or data is None:
        raise TypeError(f"data is {_article(data)}, expected a list, a table, an iterator or a path")
    if isinstance(data, Sequence):
        return Listed(data, options, run)
    if isinstance(data, Iterator):
        return Streamed(data, options, run)
    if isinstance(data, Iterable):
        return Streamed(iter(data), options, run)
    raise TypeError(f"data is {_article(data)}, expected a list, a table, an iterator or a path")


def _article(value: object) -> str:
    if value is None:
        return "None"
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"
