"""Data sets of Hugging Face."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ._errors import UsageError
from ._options import Options
from ._sources import Source, Streamed
from ._tables import ArrowTable, nested

if TYPE_CHECKING:
    from ._sources import Rows

_BATCH_ROWS = 4096


class HuggingFaceTable(ArrowTable):
    """A `datasets.Dataset`, also one whose rows were selected or shuffled."""

    def __init__(self, dataset: Any, options: Options, run: Options) -> None:
        super().__init__(options, run)
        self._dataset = dataset
        self._arrow = dataset.with_format("arrow")

    def stream(self, columns: list[str]) -> Any:
        import pyarrow as pa

        names = list(dict.fromkeys(columns))
        chosen = self._arrow.select_columns(names) if names else self._arrow
        schema = chosen.features.arrow_schema.remove_metadata()

        def batches() -> Iterator[Any]:
            for table in chosen.iter(batch_size=_BATCH_ROWS):
                yield from table.cast(schema).to_batches()

        return pa.RecordBatchReader.from_batches(schema, batches()).__arrow_c_stream__()

    def columns(self) -> Sequence[str]:
        return list(self._dataset.column_names)

    def column(self, name: str) -> Sequence[Any]:
        first, *path = (name,) if name in self.columns() else name.split(".")
        values = list(self._dataset.with_format(None)[first])
        return nested(values, path) if path else values

    def take(self, rows: Rows) -> Any:
        return self._dataset.select(rows)

    def table(self, columns: Mapping[str, Any], row: type[tuple[Any, ...]]) -> Any:  # noqa: ARG002
        import datasets

        return datasets.Dataset.from_dict(dict(columns))


def datasets_source(data: Any, options: Options, run: Options) -> Source:
    """Return the source for what the package datasets has."""
    import datasets

    if isinstance(data, datasets.Dataset):
        return HuggingFaceTable(data, options, run)
    if isinstance(data, datasets.IterableDataset):
        return Streamed(iter(data), options, run)
    if isinstance(data, dict):
        raise UsageError(
            f"data is a {type(data).__name__}: name a split, such as data[{next(iter(data), 'train')!r}]", "data"
        )
    raise TypeError(f"data is a {type(data).__name__}, expected a Dataset")
