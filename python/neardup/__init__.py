"""Finds near-duplicate documents and keeps one of each.

>>> import neardup
>>> neardup.deduplicate(["one two three four five six", "One, two, three, four, five, six!", "another text"]).kept
['one two three four five six', 'another text']
"""

from ._clean import CleanResult, clean
from ._compare import Comparison, compare
from ._core import active_kernels, library_versions
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
from ._explain import Explanation
from ._features import Features, Lists, Verifier, clusters_of_pairs, join_sets
from ._fingerprints import Fingerprints, fingerprints, fingerprints_and_more, simhash
from ._hamming import HammingIndex, Matches, hamming_kinds
from ._pairs import pairs
from ._result import Cluster, Decision, Recall, Result
from ._sources import Pair, Records

__version__ = _version()
__all__ = [
    "CleanResult",
    "Cluster",
    "Comparison",
    "CorruptError",
    "Decision",
    "Error",
    "Explanation",
    "Features",
    "Fingerprints",
    "HammingIndex",
    "InputError",
    "InternalError",
    "InterruptedCallError",
    "LimitError",
    "Lists",
    "LockedError",
    "Matches",
    "NeardupWarning",
    "OutputError",
    "Pair",
    "Recall",
    "Records",
    "Result",
    "UsageError",
    "Verifier",
    "active_kernels",
    "clean",
    "clusters_of_pairs",
    "compare",
    "deduplicate",
    "fingerprints",
    "fingerprints_and_more",
    "hamming_kinds",
    "join_sets",
    "library_versions",
    "pairs",
    "simhash",
]
