"""Why a record was kept or removed."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

from ._compare import Comparison, compare_texts
from ._sources import Pair

if TYPE_CHECKING:
    from ._result import Result


class Explanation(NamedTuple):
    """Why a record was kept or removed."""

    id: Any
    #: ``kept``, ``removed``, ``against`` (a near-duplicate of a document of the other data) or ``bad``
    outcome: str
    #: the record that stands for it; None when it is kept
    kept: Any
    #: of the two; None when they are linked only through others
    score: float | None
    #: from the record to the kept one, by as few pairs as possible
    chain: list[Pair]
    #: records of its cluster, in input order
    members: list[Any]
    #: of the two texts
    comparison: Comparison | None
    #: what is wrong with a bad record, where it is among the first ten
    reason: str | None

    def __str__(self) -> str:
        """Say it in a few lines."""
        lines = [f"{self.id}: {self.outcome}"]
        if self.reason is not None:
            lines[0] += f" ({self.reason})"
        if self.kept is not None:
            score = "linked only through others" if self.score is None else f"score {self.score:.6g}"
            lines.append(f"  {self.kept} stands for it, {score}")
        if len(self.chain) > 1:
            lines += [f"  {pair.left} - {pair.right}: {pair.score:.6g}" for pair in self.chain]
        if self.comparison is not None:
            lines.append(f"  {self.comparison.summary}")
        return "\n".join(lines)


def explain(result: Result[Any], row: int) -> Explanation:
    """Explain one row of a result."""
    status = int(result._statuses[row])
    if status == 2:
        reasons = {bad["line"]: bad["reason"] for bad in result.report.get("first_bad_records", ())}
        return Explanation(result._name(row), "bad", None, None, [], [], None, reasons.get(row))
    if status == 3:
        return _explain_against(result, row)
    kept = int(result._representatives[row])
    members = [result._name(each) for each in _members(result, kept)]
    if kept == row:
        return Explanation(result._name(row), "kept", None, None, [], members, None, None)
    score = float(result.scores[row])
    a, b = result._source.texts([row, kept])
    names = (result._name(row), result._name(kept))
    if row > kept:
        a, b = b, a
    return Explanation(
        names[0],
        "removed",
        names[1],
        None if score != score else score,
        _chain(result, row, kept),
        members,
        compare_texts([a], [b], result._options, names),
        None,
    )


def _explain_against(result: Result[Any], row: int) -> Explanation:
    rows, others, scores = result._found.against()
    place = int((rows == row).argmax())
    other = int(others[place])
    names = result._against_names
    name = other if names is None else names[other]
    assert result._against is not None
    [a], [b] = result._source.texts([row]), result._against.texts([other])
    comparison = compare_texts([a], [b], result._options, (result._name(row), name))
    return Explanation(result._name(row), "against", name, float(scores[place]), [], [], comparison, None)


def _members(result: Result[Any], kept: int) -> list[int]:
    members: list[int] = (result._representatives == kept).nonzero()[0].tolist()
    return members if len(members) > 1 else []


def _chain(result: Result[Any], row: int, kept: int) -> list[Pair]:
    """Find the fewest pairs that lead from a row to the one that stands for it."""
    left, right, score = result.row_pairs
    inside = result._representatives[left] == kept
    links: dict[int, list[tuple[int, float]]] = {}
    for a, b, s in zip(left[inside].tolist(), right[inside].tolist(), score[inside].tolist(), strict=True):
        links.setdefault(a, []).append((b, s))
        links.setdefault(b, []).append((a, s))
    came_from: dict[int, tuple[int, float]] = {row: (row, 0.0)}
    queue = deque([row])
    while queue and kept not in came_from:
        at = queue.popleft()
        for neighbour, s in links.get(at, ()):
            if neighbour not in came_from:
                came_from[neighbour] = (at, s)
                queue.append(neighbour)
    chain: list[Pair] = []
    at = kept
    while at != row and at in came_from:
        before, s = came_from[at]
        chain.append(Pair(result._name(before), result._name(at), s))
        at = before
    return chain[::-1]
