"""Finds near-duplicate documents and keeps one of each.

>>> import neardup
>>> neardup.deduplicate(["one two three four five six", "One, two, three, four, five, six!", "another text"]).kept
['one two three four five six', 'another text']
"""

from ._core import version as _version
from ._dedup import deduplicate
from ._errors import (
    CorruptError,
    Error,
    InputError,
    InternalError,
    InterruptedCallError,
    LimitError,
    LockedError,
    NeardupWarning,
    OutputError,
    UsageError,
)
from ._result import Cluster, Decision, Recall, Result
from ._sources import Pair, Records

__version__ = _version()
__all__ = [
    "Cluster",
    "CorruptError",
    "Decision",
    "Error",
    "InputError",
    "InternalError",
    "InterruptedCallError",
    "LimitError",
    "LockedError",
    "NeardupWarning",
    "OutputError",
    "Pair",
    "Recall",
    "Records",
    "Result",
    "UsageError",
    "deduplicate",
]
