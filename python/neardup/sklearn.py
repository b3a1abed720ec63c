"""A transformer in the style of scikit-learn, which need not be installed."""

from __future__ import annotations

from typing import Any

from ._dedup import deduplicate


class Deduplicator:
    """Keeps one of each near-duplicate group: ``Deduplicator(threshold=0.9).fit_transform(texts)``.

    Takes the keyword arguments of `neardup.deduplicate`. It follows the conventions of scikit-learn (`get_params`,
    `set_params`, `fit`, trailing underscores), and so works in its pipelines where a step may drop samples. `transform`
    removes from other data what is a near-duplicate of the data that were fitted, and near-duplicates among themselves.

    Attributes
    ----------
    result_ : neardup.Result
        What `fit` found.
    kept_indices_ : ndarray
        The places of the kept samples.
    labels_ : ndarray
        For each sample the place of the sample that stands for it, as clusterers have it; -1 for bad samples.

    Examples
    --------
    >>> from neardup.sklearn import Deduplicator
    >>> texts = ["one two three four five six", "One two three four five six.", "another text"]
    >>> model = Deduplicator(threshold=0.9)
    >>> model.fit_transform(texts)
    ['one two three four five six', 'another text']
    >>> model.labels_.tolist()
    [0, 0, 2]
    >>> model.transform(["Another text!", "a third text"])
    ['a third text']
    """

    def __init__(self, **params: Any) -> None:
        self._params = params

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002
        """Return the keyword arguments."""
        return dict(self._params)

    def set_params(self, **params: Any) -> Deduplicator:
        """Change keyword arguments."""
        self._params.update(params)
        return self

    def fit(self, X: Any, y: Any = None) -> Deduplicator:  # noqa: ARG002, N803
        """Find the near-duplicates among samples."""
        self.result_ = deduplicate(X, **self._params)
        self.kept_indices_ = self.result_.kept_rows
        self.labels_ = self.result_._representatives
        self._fitted = X
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:  # noqa: ARG002, N803
        """Return one sample of each near-duplicate group."""
        return self.fit(X).result_.kept

    def fit_predict(self, X: Any, y: Any = None) -> Any:  # noqa: ARG002, N803
        """Return `labels_`."""
        return self.fit(X).labels_

    def transform(self, X: Any) -> Any:  # noqa: N803
        """Return the samples that are new: not near-duplicates of fitted ones, and one of each group."""
        if not hasattr(self, "result_"):
            raise AttributeError("this Deduplicator is not fitted yet: call fit first")
        if X is self._fitted:
            return self.result_.kept
        return deduplicate(X, against=self._fitted, **self._params).kept

    def __repr__(self) -> str:
        """Show the keyword arguments."""
        return f"Deduplicator({', '.join(f'{name}={value!r}' for name, value in self._params.items())})"
