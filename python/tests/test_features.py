"""Single steps give the numbers of the whole run."""

import itertools

import neardup
import numpy as np
import pytest
from conftest import FOXES


def test_sets_are_the_same_from_lists_and_from_arrow(corpus):
    pa = pytest.importorskip("pyarrow")
    features = neardup.Features("words:3")
    values, offsets = features.sets(corpus)
    assert values.dtype == np.uint64
    for data in (
        pa.array(corpus),
        pa.chunked_array([corpus[:100], corpus[100:]]),
        pa.record_batch({"text": corpus}),
        pa.table({"x": range(len(corpus)), "text": corpus}),
        pa.array(corpus, pa.large_string()),
        pa.array(corpus, pa.string_view()),
    ):
        sets = features.sets(data)
        assert sets.type == pa.list_(pa.uint64())
        assert np.array_equal(sets.values.to_numpy(), values)
        assert np.array_equal(sets.offsets.to_numpy(), offsets)


def test_every_step_has_a_form_for_arrow(corpus):
    pa = pytest.importorskip("pyarrow")
    features = neardup.Features("words:3", threshold=0.7)
    texts = pa.array([*corpus, None, ""])
    sets, codes = features.sets(texts), features.simhash(texts)
    assert sets[-2].as_py() is None
    assert sets[-1].as_py() == []
    assert codes[-2].as_py() is None
    assert codes[-1].as_py() is None
    assert codes.type == pa.uint64()
    prints = neardup.fingerprints(corpus, features="words:3")
    assert np.array_equal(codes[:-2].to_numpy(), prints)
    assert np.array_equal(features.simhash(corpus), prints)
    bands, sketches = features.bands(texts), features.minhash(texts)
    count, rows = features.bands_shape
    assert {len(keys) for keys in bands[:-2].to_pylist()} == {count}
    assert {len(sketch) for sketch in sketches[:-2].to_pylist()} == {count * rows}
    assert bands[-1].as_py() is None
    assert features.lengths(["a", "ßé", "日本語"]).tolist() == [1, 2, 3]


def test_a_text_column_can_be_named():
    pa = pytest.importorskip("pyarrow")
    batch = pa.record_batch({"title": ["x"], "body": ["a b c d e"]})
    assert len(neardup.Features("words", text="body").sets(batch)[0]) == 5
    with pytest.raises(neardup.UsageError, match="body"):
        neardup.Features("words", text="bdy").sets(batch)


def test_join_verify_and_cluster_give_what_deduplicate_gives(corpus):
    features = neardup.Features("words:5")
    sets = features.sets(corpus)
    left, right, score = neardup.join_sets(sets, threshold=0.7)
    whole = neardup.pairs(corpus, threshold=0.7)
    assert list(zip(left.tolist(), right.tolist(), score.tolist(), strict=True)) == whole
    verifier = neardup.Verifier("words:5", threshold=0.7)
    assert np.array_equal(verifier.scores(sets, left, right), score)
    assert np.isnan(verifier.scores(sets, [0], [1])[0]) == (not any(pair[:2] == (0, 1) for pair in whole))
    for kind in ("components", "star", "complete"):
        result = neardup.deduplicate(corpus, threshold=0.7, clusters=kind)
        labels = neardup.clusters_of_pairs(len(corpus), left, right, kind=kind)
        assert np.flatnonzero(labels == np.arange(len(corpus))).tolist() == result.kept_rows.tolist()


def test_equal_bands_mean_candidates(corpus):
    features = neardup.Features("words:5", threshold=0.8, target_recall=0.99)
    values, offsets = features.bands(corpus)
    keys = [set(values[a:b].tolist()) for a, b in itertools.pairwise(offsets)]
    found = sum(1 for left, right, _ in neardup.pairs(corpus) if keys[left] & keys[right])
    assert found >= 0.95 * len(neardup.pairs(corpus))


def test_verifier_bounds_sizes_and_prefixes():
    verifier = neardup.Verifier(threshold=0.8)
    sizes = np.array([5, 10, 100], dtype=np.uint64)
    assert verifier.min_sizes(sizes).tolist() == [4, 8, 80]
    assert verifier.max_sizes(sizes).tolist() == [6, 12, 125]
    assert verifier.prefix_sizes(sizes).tolist() == [2, 3, 21]
    assert verifier.min_overlap(10, 10) == 9
    assert verifier.identity_score(3) == 1.0
    assert neardup.Verifier(measure="overlap", threshold=4).identity_score(3) is None
    assert neardup.Verifier(measure="edit", threshold=2).edits("colour", "color") == 1.0
    distances = neardup.Verifier(measure="hamming", threshold=3).distances([0, 0], [7, 15])
    assert distances[0] == 3
    assert np.isnan(distances[1])


def test_wrong_places_and_shapes_are_usage_errors():
    sets = neardup.Features("words").sets(["a b", "b c"])
    with pytest.raises(neardup.UsageError, match="set 2"):
        neardup.Verifier().scores(sets, [0], [2])
    with pytest.raises(neardup.UsageError, match="same length"):
        neardup.Verifier().scores(sets, [0], [1, 1])
    with pytest.raises(neardup.UsageError, match="offsets"):
        neardup.Verifier().scores((sets.values, sets.offsets[::-1]), [0], [1])
    with pytest.raises(neardup.UsageError):
        neardup.clusters_of_pairs(2, [0], [5])
    with pytest.raises(neardup.UsageError, match="negative"):
        neardup.clusters_of_pairs(2, [-1], [1])
    with pytest.raises(neardup.UsageError, match="go together"):
        neardup.Features(bands=3)
    with pytest.raises(TypeError):
        neardup.Features().sets("a text")


def test_sets_of_integers_are_documents_too():
    left, _, score = neardup.join_sets(neardup.Features().sets([[1, 2, 3], [1, 2, 3], [4]]))
    assert (left.tolist(), score.tolist()) == ([0], [1.0])


def test_strings_are_what_edit_compares():
    assert neardup.Features("chars:3").strings(["  The  Café! ", None]) == ["the café", None]
    assert neardup.Features.tokens(FOXES[1]) == ["something", "else"]


def test_compare_knows_every_measure():
    comparison = neardup.compare("the new ferry opens in May", "the new ferry opens in June", features="words")
    assert comparison.verdict is False
    assert comparison.score == pytest.approx(5 / 7)
    assert comparison.scores["edit"] == 4
    assert comparison.diff[-1] == ("replaced", "May", "June")
    assert neardup.compare("a b", "A, B!").verdict is True


def test_clean_takes_a_log_of_queries(tmp_path):
    pages = ["the new ferry terminal opens in may", "the new ferry terminal opens in May!", "snow falls", "snow falls!"]
    result = neardup.clean(pages, {"ferry terminal": 3}, features="words")
    assert result.kept == [pages[0], *pages[2:]]
    assert result.representatives.tolist() == [0, 0, 2, 3]
    assert result.outcomes[0].query == "ferry terminal"
    log = tmp_path / "log.txt"
    log.write_text("snow\nferry terminal\n")
    assert neardup.clean(pages, log, features="words").report["removed"] == 2
    assert len(neardup.clean(pages, ["snow"], features="words").removed) == 1


def test_the_transformer_follows_scikit_learn():
    from neardup.sklearn import Deduplicator

    model = Deduplicator(threshold=0.9)
    assert model.get_params() == {"threshold": 0.9}
    assert model.set_params(threshold=0.8).fit_transform(FOXES) == FOXES[:2]
    assert model.fit_predict(FOXES).tolist() == [0, 1, 0]
    assert model.transform([FOXES[0], "a new text"]) == ["a new text"]
    with pytest.raises(AttributeError, match="not fitted"):
        Deduplicator().transform(FOXES)
    sklearn = pytest.importorskip("sklearn")
    assert sklearn.base.clone(model).get_params() == {"threshold": 0.8}
