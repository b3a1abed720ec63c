"""Tables: pandas, polars, pyarrow, Hugging Face datasets, and whatever speaks Arrow."""

from __future__ import annotations

from typing import Any

from ._options import Options
from ._sources import Source


def table_source(data: Any, options: Options, run: Options) -> Source | None:
    """Return the source for a table, or None when the data are none."""
    return None
