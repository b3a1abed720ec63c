"""Tables of pandas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import _core
from ._errors import UsageError
from ._options import Options
from ._sources import Source
from ._tables import ArrowTable, nested

if TYPE_CHECKING:
    from ._sources import Rows


class PandasTable(ArrowTable):
    """A pandas DataFrame.

    Columns are read through Arrow. Those that Arrow has no type for, such as strs mixed with numbers, and all of them
    where pyarrow is missing, are read as Python objects: what is not a text then is a bad record.
    """

    def __init__(self, frame: Any, options: Options, run: Options) -> None:
        super().__init__(options, run)
        self._frame = frame
        self._converted: dict[str, Any] = {}

    def _column(self, name: str) -> Any:
        """Convert a column to Arrow, once."""
        import pyarrow as pa

        if name not in self._converted:
            series = self._frame[name]
            if getattr(series, "ndim", 1) != 1:
                raise UsageError(f"there are several columns {name!r}", "text")
            self._converted[name] = pa.Array.from_pandas(series)
        return self._converted[name]

    def stream(self, columns: list[str]) -> Any:
        import pyarrow as pa

        names = [str(name) for name in self._frame.columns]
        if columns:
            chosen = {name: self._column(name) for name in dict.fromkeys(columns)}
        else:  # only names and types are looked at; objects that nobody needs are not converted for it
            chosen = {
                name: self._column(name) if self._is_needed(name) else pa.nulls(len(self._frame)) for name in names
            }
        return pa.table(chosen).__arrow_c_stream__()

    def _is_needed(self, name: str) -> bool:
        texts = self.options.get("text_fields", "text")
        wanted = {texts} if isinstance(texts, str) else set(texts)
        wanted |= {self.id_field, *self.fields}
        return self._frame[name].dtype != object or any(name == each or each.startswith(name + ".") for each in wanted)

    def open(self) -> _core.Collection:
        if self._frame.empty and self._frame.columns.size:
            self._check_text_column()  # a column without values has no type worth looking at
            return self.collection_of(_core.documents_of_items((), {}))
        try:
            import pyarrow as pa
        except ImportError:
            return self._open_records()
        try:
            return super().open()
        except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):
            return self._open_records()

    def _check_text_column(self) -> None:
        texts = self.options.get("text_fields", "text")
        for name in [texts] if isinstance(texts, str) else texts:
            if name.partition(".")[0] not in self.columns() and name not in self.columns():
                raise UsageError(f'there is no column "{name}"; there are: {", ".join(self.columns())}', "text")

    def _open_records(self) -> _core.Collection:
        records = tuple(self._frame.to_dict("records"))
        return self.collection_of(_core.documents_of_items(records, self.options))

    def columns(self) -> Sequence[str]:
        return [str(name) for name in self._frame.columns]

    def column(self, name: str) -> Sequence[Any]:
        if name in self._frame.columns:
            values: Sequence[Any] = self._frame[name].tolist()
            return values
        first, *path = name.split(".")
        return nested(self._frame[first].tolist(), path)

    def take(self, rows: Rows) -> Any:
        return self._frame.iloc[rows]

    def table(self, columns: Mapping[str, Any], row: type[tuple[Any, ...]]) -> Any:  # noqa: ARG002
        import pandas as pd

        return pd.DataFrame(dict(columns))


class PandasColumn(PandasTable):
    """A pandas Series of texts."""

    def __init__(self, series: Any, options: Options, run: Options) -> None:
        if "text_fields" in options:
            raise UsageError("text names a column, but the data are one column", "text")
        super().__init__(series.to_frame("text"), options, run)
        self._series = series

    def take(self, rows: Rows) -> Any:
        return self._series.iloc[rows]


def pandas_source(data: Any, options: Options, run: Options) -> Source:
    """Return the source for what pandas has."""
    import pandas as pd

    if isinstance(data, pd.DataFrame):
        return PandasTable(data, options, run)
    if isinstance(data, pd.Series | pd.Index):
        return PandasColumn(data if isinstance(data, pd.Series) else data.to_series(), options, run)
    raise TypeError(f"data is a pandas {type(data).__name__}, expected a DataFrame or a Series")
