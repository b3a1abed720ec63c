"""Why two documents are near-duplicates, or why not."""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from typing import Any, Unpack

from . import _core
from ._options import (
    DEFAULT_FEATURES,
    CompareOptions,
    Options,
    Threshold,
    check_names,
    definition_options,
    run_options,
)


class Comparison:
    """Two texts compared under every measure, with their differences.

    Attributes
    ----------
    facts : dict
        Everything, as ``neardup compare --json`` prints it.
    """

    def __init__(self, facts: dict[str, Any]) -> None:
        self.facts = facts

    @property
    def verdict(self) -> bool | None:
        """Whether the two are near-duplicates by the definition; None when it cannot be told."""
        verdict = self.facts["verdict"]
        answer = None if verdict is None else verdict["answer"]
        return None if answer in (None, "unknown") else answer == "near-duplicates"

    @property
    def scores(self) -> dict[str, float | None]:
        """The score under each measure; None where it is not defined for these texts."""
        scores = {name: measure["score"] for name, measure in self.facts["measures"].items()}
        return {name: None if score is None else float(score) for name, score in scores.items()}

    @property
    def score(self) -> float | None:
        """The score under the definition's own measure."""
        return self.scores[self.facts["definition"]["measure"]]

    @property
    def diff(self) -> list[tuple[str, str, str]]:
        """Both texts in parts: ``equal``, ``removed``, ``added`` or ``replaced``, then the words of a and of b."""
        diff = self.facts["diff"]
        return [] if diff is None else [(part["op"], part["a"], part["b"]) for part in diff["parts"]]

    @property
    def summary(self) -> str:
        """The measure, the score and the number of words that differ, on one line."""
        measure = self.facts["definition"]["measure"]
        exact = self.facts["measures"][measure]["exact"]
        diff = self.facts["diff"]
        if diff is None:
            return f"{measure} {exact}"
        return f"{measure} {exact}; {_words(diff['removed_words'])} removed, {_words(diff['added_words'])} added"

    def __repr__(self) -> str:
        """Say the answer, and why."""
        answer = {True: "near-duplicates", False: "different", None: "not judged"}[self.verdict]
        return f"Comparison({answer}: {self.summary})"

    def _repr_html_(self) -> str:
        parts = []
        for op, a, b in self.diff:
            if op == "equal":
                parts.append(html.escape(a))
                continue
            if a:
                parts.append(f'<del style="background:#fdd">{html.escape(a)}</del>')
            if b:
                parts.append(f'<ins style="background:#dfd">{html.escape(b)}</ins>')
        body = " ".join(parts)
        return f'<div><b>{html.escape(repr(self))}</b><p style="white-space:pre-wrap">{body}</p></div>'


def _words(count: int) -> str:
    return f"{count:,} word{'' if count == 1 else 's'}"


def compare(
    a: str | Sequence[str],
    b: str | Sequence[str],
    *,
    threshold: Threshold = 0.8,
    features: str = DEFAULT_FEATURES,
    measure: str = "jaccard",
    diff: bool = True,
    **options: Unpack[CompareOptions],
) -> Comparison:
    """Compare two texts: every measure, what they share, and what differs.

    Parameters
    ----------
    a, b
        Two texts, or two lists of text fields.
    threshold, features, measure
        The definition, as in `deduplicate`.
    diff
        Whether to look for the words that differ.
    **options
        Text preprocessing and further parts of the definition, as in `deduplicate`.

    Examples
    --------
    >>> import neardup
    >>> comparison = neardup.compare("the new ferry opens in May", "the new ferry opens in June", features="words")
    >>> comparison
    Comparison(different: jaccard 5/7; 1 word removed, 1 word added)
    >>> comparison.scores["edit"], comparison.verdict
    (4.0, False)
    """
    check_names(options, CompareOptions.__optional_keys__, "compare")
    request = definition_options(threshold, features, measure, options)
    request["diff"] = diff
    return compare_texts([a] if isinstance(a, str) else a, [b] if isinstance(b, str) else b, request)


def compare_texts(
    a: Sequence[str], b: Sequence[str], options: Options, names: tuple[Any, Any] = ("a", "b")
) -> Comparison:
    """Compare two documents under options of the library."""
    run = run_options(1, None, None, False)
    facts = _core.compare_texts(str(names[0]), list(a), str(names[1]), list(b), options, run)
    return Comparison(json.loads(facts))
