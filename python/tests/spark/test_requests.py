"""What is refused before Spark does anything, and rows that are no documents."""

import neardup.spark
import pytest
from neardup import UsageError


@pytest.mark.parametrize(
    ("keywords", "words"),
    [
        ({"text": "txet"}, "did you mean 'text'"),
        ({"id": "key"}, "no column 'key'"),
        ({"order": "when"}, "no column 'when'"),
        ({"keep": "max:size"}, "no column 'size'"),
        ({"keep": "longst"}, "longest"),
        ({"keep": "authority"}, "max:FIELD"),
        ({"clusters": "complete"}, "'components' or 'star'"),
        ({"clusters": "core"}, "'components' or 'star'"),
        ({"measure": "edit"}, "not available on Spark"),
        ({"measure": "jacard"}, "did you mean 'jaccard'"),
        ({"finder": "minhsh"}, "did you mean 'minhash'"),
        ({"finder": "minhash", "measure": "overlap", "threshold": 3}, "serves jaccard"),
        ({"threshold": 1.5}, "threshold"),
        ({"weights": "tfidf", "measure": "hamming"}, "tfidf"),
        ({"against_only": True}, "against="),
    ],
)
def test_wrong_requests_are_refused(spark, keywords, words):
    data = spark.createDataFrame([("a", "text")], "id string, text string")
    with pytest.raises(UsageError, match=words):
        neardup.spark.deduplicate(data, **keywords)


def test_unknown_options_are_refused_by_name(spark):
    data = spark.createDataFrame([("a", "text")], "id string, text string")
    with pytest.raises(TypeError, match="did you mean partitions="):
        neardup.spark.deduplicate(data, partition=3)


def test_rows_without_text_or_id_are_bad_and_an_empty_frame_is_fine(spark):
    text = "one two three four five six seven"
    rows = [("a", text), ("b", None), (None, text), ("c", ""), ("d", text)]
    data = spark.createDataFrame(rows, "id string, text string")
    result = neardup.spark.deduplicate(data)
    assert sorted(row.id for row in result.kept.collect()) == ["a", "c"]
    assert sorted(str(row.id) for row in result.bad.collect()) == ["None", "b"]
    empty = neardup.spark.deduplicate(data.where("id = 'nobody'"))
    assert empty.kept.count() == 0
    assert empty.pairs.count() == 0


def test_an_estimator_removes_what_it_was_fitted_to(spark):
    text = "one two three four five six seven"
    known = spark.createDataFrame([("k", text)], "id string, text string")
    new = spark.createDataFrame(
        [("a", text), ("b", text + " eight nine ten eleven"), ("c", text + " eight nine ten eleven")],
        "id string, text string",
    )
    stage = neardup.spark.Deduplicator(keep="last")
    assert [row.id for row in stage.fit(known).transform(new).collect()] == ["c"]
    assert sorted(row.id for row in stage.fit_transform(new).collect()) == ["a", "c"]
