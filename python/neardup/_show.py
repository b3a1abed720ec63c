"""Results as notebooks show them. Everything that comes from data is escaped."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._result import Result

_SHOWN = 5
_EXCERPT = 160
_CELL = 'style="text-align:left;vertical-align:top;padding:2px 8px"'


def result_html(result: Result[Any]) -> str:
    """Return a summary of a run with a few removed records beside those that stand for them."""
    report = result.report
    definition = report.get("definition", {})
    sign = "&le;" if definition.get("measure") in ("edit", "hamming") else "&ge;"
    named = [str(definition.get(name)) for name in ("features", "measure", "threshold") if name in definition]
    words = f" {sign} ".join(escape(each) for each in (", ".join(named[:-1]), named[-1])) if named else ""
    facts = {
        "records": f"{report['records']:,}",
        "kept": f"{len(result.kept_rows):,}",
        "removed": f"{len(result.removed_rows):,}",
        "clusters": f"{report['clusters']:,} (largest {report['largest_cluster']:,})",
        "definition": words,
        "finder": escape(str(report["finder"])) + _recall(result),
        "seconds": f"{report['seconds']:.2f}",
    }
    if len(result.bad_rows):
        facts["bad records"] = f"{len(result.bad_rows):,}"
    rows = "".join(f"<tr><th {_CELL}>{name}</th><td {_CELL}>{value}</td></tr>" for name, value in facts.items())
    warnings = "".join(f"<li>{escape(each)}</li>" for each in result.warnings)
    notes = f"<ul>{warnings}</ul>" if warnings else ""
    return f"<div><b>neardup</b><table>{rows}</table>{notes}{_examples(result)}</div>"


def _recall(result: Result[Any]) -> str:
    recall = result.recall
    if recall is None or recall.pairs == 0:
        return ""
    return f", recall {recall.value:.4f} ({recall.low:.4f} to {recall.high:.4f})"


def _examples(result: Result[Any]) -> str:
    removed = [row for row in result.removed_rows[: _SHOWN * 4].tolist() if result._representatives[row] >= 0][:_SHOWN]
    if not removed:
        return ""
    kept = [int(result._representatives[row]) for row in removed]
    wanted = sorted({*removed, *kept})
    texts = dict(zip(wanted, result._source.texts(wanted), strict=True))
    lines = "".join(
        f"<tr>{_cell(result, row, texts)}{_cell(result, other, texts)}</tr>"
        for row, other in zip(removed, kept, strict=True)
    )
    return f"<table><tr><th {_CELL}>removed</th><th {_CELL}>kept for it</th></tr>{lines}</table>"


def _cell(result: Result[Any], row: int, texts: dict[int, str]) -> str:
    text = texts[row]
    excerpt = text if len(text) <= _EXCERPT else text[: _EXCERPT - 1] + "\u2026"
    return f"<td {_CELL}><code>{escape(str(result._name(row)))}</code> {escape(excerpt)}</td>"
