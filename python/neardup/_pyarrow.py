"""Tables of pyarrow, and whatever speaks Arrow."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ._errors import UsageError
from ._options import Options
from ._tables import ArrowTable

if TYPE_CHECKING:
    from ._sources import Rows

Give = Callable[[Any], Any]


class PyarrowTable(ArrowTable):
    """A pyarrow Table; `give` makes what the caller had of a table."""

    def __init__(self, table: Any, options: Options, run: Options, give: Give | None = None) -> None:
        super().__init__(options, run)
        self._table = table
        self._give = give

    def stream(self, columns: list[str]) -> Any:
        table = self._table.select(list(dict.fromkeys(columns))) if columns else self._table
        return table.__arrow_c_stream__()

    def columns(self) -> Sequence[str]:
        return list(self._table.column_names)

    def column(self, name: str) -> Sequence[Any]:
        return column_of(self._table, name)

    def text_bytes(self) -> int:
        return int(self._table.nbytes)

    def take(self, rows: Rows) -> Any:
        table = take_rows(self._table, rows)
        return table if self._give is None else self._give(table)

    def table(self, columns: Mapping[str, Any], row: type[tuple[Any, ...]]) -> Any:  # noqa: ARG002
        import pyarrow as pa

        return pa.table(dict(columns))


class PyarrowColumn(PyarrowTable):
    """A pyarrow Array or ChunkedArray of texts."""

    def __init__(self, array: Any, options: Options, run: Options) -> None:
        import pyarrow as pa

        if "text_fields" in options:
            raise UsageError("text names a column, but the data are one column", "text")
        super().__init__(pa.table({"text": array}), options, run, lambda table: _same_kind(table["text"], array))


def _same_kind(column: Any, array: Any) -> Any:
    import pyarrow as pa

    return column if isinstance(array, pa.ChunkedArray) else column.combine_chunks()


def take_rows(table: Any, rows: Rows) -> Any:
    """Return rows of a table. pyarrow takes none from views of strings, so these are converted on the way."""
    import pyarrow as pa

    views = {pa.string_view(): pa.large_string(), pa.binary_view(): pa.large_binary()}
    if not any(field.type in views for field in table.schema):
        return table.take(rows)
    plain = pa.schema([field.with_type(views.get(field.type, field.type)) for field in table.schema])
    return table.cast(plain).take(rows).cast(table.schema)


def column_of(table: Any, name: str) -> Sequence[Any]:
    """Return the values of a column, also by a path into structs."""
    if name in table.column_names:
        values: Sequence[Any] = table.column(name).to_pylist()
        return values
    from ._tables import nested

    first, *path = name.split(".")
    return nested(table.column(first).to_pylist(), path)


class PyarrowDataset(ArrowTable):
    """A pyarrow Dataset: files that are read again for each pass."""

    def __init__(self, dataset: Any, options: Options, run: Options) -> None:
        super().__init__(options, run)
        self._dataset = dataset

    def stream(self, columns: list[str]) -> Any:
        return self._dataset.scanner(columns=columns or None).to_reader().__arrow_c_stream__()

    def columns(self) -> Sequence[str]:
        return list(self._dataset.schema.names)

    def column(self, name: str) -> Sequence[Any]:
        first = name if name in self.columns() else name.partition(".")[0]
        return column_of(self._dataset.to_table(columns=[first]), name)

    def take(self, rows: Rows) -> Any:
        return self._dataset.take(rows)

    def table(self, columns: Mapping[str, Any], row: type[tuple[Any, ...]]) -> Any:  # noqa: ARG002
        import pyarrow as pa

        return pa.table(dict(columns))


def spooled_table(reader: Any, temp_folder: str | None) -> Any:
    """Copy a stream to a temporary file and return it as a table over that file, which takes no memory of its own."""
    import os
    import pathlib
    import tempfile

    import pyarrow as pa

    if temp_folder is not None:
        pathlib.Path(temp_folder).mkdir(parents=True, exist_ok=True)
    handle, path = tempfile.mkstemp(prefix="neardup-", suffix=".arrow", dir=temp_folder)
    try:
        with os.fdopen(handle, "wb") as file, pa.ipc.new_file(file, reader.schema) as writer:
            for batch in reader:
                writer.write_batch(batch)
        return pa.ipc.open_file(pa.memory_map(path)).read_all()
    finally:
        pathlib.Path(path).unlink()  # it stays as long as the table


def arrow_source(data: Any, options: Options, run: Options) -> ArrowTable:
    """Return the source for Arrow data of any kind."""
    try:
        import pyarrow as pa
    except ImportError as error:
        raise ImportError("data in Arrow streams need pyarrow: pip install pyarrow") from error
    if isinstance(data, pa.Table):
        return PyarrowTable(data, options, run)
    if isinstance(data, pa.RecordBatch):
        table = pa.Table.from_batches([data])
        return PyarrowTable(
            table, options, run, lambda taken: taken.combine_chunks().to_batches()[0] if len(taken) else data[:0]
        )
    if isinstance(data, pa.Array | pa.ChunkedArray):
        return PyarrowColumn(data, options, run)
    if hasattr(data, "scanner") and hasattr(data, "take"):
        return PyarrowDataset(data, options, run)
    if not hasattr(data, "__arrow_c_stream__"):
        raise TypeError(f"data is a {type(data).__name__}, expected a table, an array or a reader of record batches")
    reader = data if isinstance(data, pa.RecordBatchReader) else pa.RecordBatchReader.from_stream(data)
    table = spooled_table(reader, run.get("temp_folder"))
    if isinstance(data, pa.RecordBatchReader):
        return PyarrowTable(table, options, run, lambda taken: taken.to_reader())
    return PyarrowTable(table, options, run)
