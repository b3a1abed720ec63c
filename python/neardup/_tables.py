"""Tables: pandas, polars, pyarrow, Hugging Face datasets, and whatever speaks Arrow.

Packages are looked up by the name of the data's type, so that none of them is imported unless the data come from it.
"""

from __future__ import annotations

import weakref
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from . import _core
from ._errors import UsageError
from ._options import Options
from ._sources import Source

if TYPE_CHECKING:
    from ._sources import Rows


def table_source(data: Any, options: Options, run: Options) -> Source | None:
    """Return the source for a table, or None when the data are none."""
    package = type(data).__module__.partition(".")[0]
    if package == "pandas":
        from ._pandas import pandas_source

        return pandas_source(data, options, run)
    if package == "polars":
        from ._polars import polars_source

        return polars_source(data, options, run)
    if package == "datasets":
        from ._datasets import datasets_source

        return datasets_source(data, options, run)
    if package == "numpy":
        return numpy_source(data, options, run)
    if package == "pyarrow" or hasattr(data, "__arrow_c_stream__"):
        from ._pyarrow import arrow_source

        return arrow_source(data, options, run)
    return None


def numpy_source(data: Any, options: Options, run: Options) -> Source:
    """Return the source for an array of texts."""
    from ._sources import Listed

    if data.ndim != 1:
        raise UsageError(f"data is an array of {data.ndim} dimensions, expected 1", "data")

    class Texts(Listed):
        def take(self, rows: Rows) -> Any:
            return data[rows]

    return Texts(data.tolist(), options, run)


class ArrowTable(Source):
    """Data that can be read as an Arrow stream, again and again."""

    is_table = True

    @abstractmethod
    def stream(self, columns: list[str]) -> Any:
        """Return a capsule with a stream of these columns, or of all when there are none."""

    @abstractmethod
    def columns(self) -> Sequence[str]:
        """Return the names of the columns."""

    @abstractmethod
    def column(self, name: str) -> Sequence[Any]:
        """Return the values of one column."""

    def text_bytes(self) -> int:
        """Return about how many bytes of text there are; 0 when nobody knows."""
        return 0

    def field_names(self) -> Sequence[str] | None:
        return self.columns()

    def open(self) -> _core.Collection:
        return self.collection_of(_core.documents_of_arrow(weakly(self.stream), self.options, self.text_bytes()))

    def ids(self) -> Sequence[Any] | None:
        name = self.id_field
        if name not in self.columns() and name.partition(".")[0] not in self.columns():
            return None
        return self.column(name)


def weakly(method: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that calls a method without keeping its object.

    The library holds what opens a stream, and the object holds what the library made: neither would ever be freed, as
    Python sees no cycle that goes through C++.
    """
    reference = weakref.WeakMethod(method)

    def call(*arguments: Any) -> Any:
        bound = reference()
        if bound is None:
            raise ReferenceError("the data are gone")
        return bound(*arguments)

    return call


def nested(values: Sequence[Any], path: Sequence[str]) -> list[Any]:
    """Return what is at a path within structs."""
    out = []
    for value in values:
        for step in path:
            value = value.get(step) if isinstance(value, dict) else None
        out.append(value)
    return out
