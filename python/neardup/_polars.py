"""Tables of polars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ._errors import UsageError
from ._options import Options
from ._tables import ArrowTable, nested

if TYPE_CHECKING:
    from ._sources import Rows


class PolarsTable(ArrowTable):
    """A polars DataFrame."""

    def __init__(self, frame: Any, options: Options, run: Options) -> None:
        super().__init__(options, run)
        self._frame = frame

    def stream(self, columns: list[str]) -> Any:
        frame = self._frame.select(list(dict.fromkeys(columns))) if columns else self._frame
        return frame.__arrow_c_stream__()

    def columns(self) -> Sequence[str]:
        return list(self._frame.columns)

    def column(self, name: str) -> Sequence[Any]:
        if name in self._frame.columns:
            values: Sequence[Any] = self._frame[name].to_list()
            return values
        first, *path = name.split(".")
        return nested(self._frame[first].to_list(), path)

    def text_bytes(self) -> int:
        return int(self._frame.estimated_size())

    def take(self, rows: Rows) -> Any:
        return self._frame[rows]

    def table(self, columns: Mapping[str, Any], row: type[tuple[Any, ...]]) -> Any:  # noqa: ARG002
        import polars as pl

        return pl.DataFrame(dict(columns))


class PolarsColumn(PolarsTable):
    """A polars Series of texts."""

    def __init__(self, series: Any, options: Options, run: Options) -> None:
        if "text_fields" in options:
            raise UsageError("text names a column, but the data are one column", "text")
        super().__init__(series.to_frame("text"), options, run)
        self._series = series

    def take(self, rows: Rows) -> Any:
        return self._series[rows]


def polars_source(data: Any, options: Options, run: Options) -> PolarsTable:
    """Return the source for what polars has."""
    import polars as pl

    if isinstance(data, pl.LazyFrame):
        data = data.collect()
    if isinstance(data, pl.Series):
        return PolarsColumn(data, options, run)
    if isinstance(data, pl.DataFrame):
        return PolarsTable(data, options, run)
    raise TypeError(f"data is a polars {type(data).__name__}, expected a DataFrame, a LazyFrame or a Series")
