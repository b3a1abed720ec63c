"""deduplicate(): lists, records, files and iterators in, the same types out."""

import json
from decimal import Decimal
from fractions import Fraction

import neardup
import numpy as np
import pytest
from conftest import FOXES, brute_force_pairs, make_corpus, run_program, write_jsonl


def test_a_list_of_texts_loses_near_duplicates_and_keeps_its_order():
    result = neardup.deduplicate(FOXES)
    assert result.kept == FOXES[:2]
    assert result.removed == FOXES[2:]
    assert repr(result) == "Result(2 kept, 1 removed)"
    assert result.pairs == [neardup.Pair(0, 2, 8 / 9)]
    assert result.clusters == [neardup.Cluster(kept=0, members=[0, 2])]


def test_a_tuple_gives_a_tuple():
    assert neardup.deduplicate(tuple(FOXES)).kept == tuple(FOXES[:2])


def test_records_are_called_by_their_ids():
    records = [{"id": f"d{n}", "text": text, "n": n} for n, text in enumerate(FOXES)]
    result = neardup.deduplicate(records, keep="max:n")
    assert [record["id"] for record in result.kept] == ["d1", "d2"]
    assert result.pairs == [("d0", "d2", 8 / 9)]
    assert result.clusters == [("d2", ["d0", "d2"])]


def test_ids_keep_their_type_unless_they_repeat():
    records = [{"id": 7, "text": FOXES[0]}, {"id": 8, "text": FOXES[2]}]
    assert neardup.deduplicate(records).pairs[0][:2] == (7, 8)
    records.append({"id": 7, "text": FOXES[0]})
    with pytest.warns(neardup.NeardupWarning, match="repeats an id"):
        result = neardup.deduplicate(records)
    assert result.clusters == [(7, [7, 8, "7#2"])]


def test_text_columns_are_joined_and_paths_reach_into_dicts():
    records = [{"a": {"b": "one two three"}, "c": "four five six"}, {"a": {"b": "one two"}, "c": "three four five six"}]
    assert len(neardup.deduplicate(records, text=["a.b", "c"]).kept) == 1


def test_chat_messages_are_texts():
    chat = [
        {"role": "user", "content": "one two three"},
        {"role": "assistant", "content": [{"type": "text", "text": "four five"}]},
    ]
    records = [{"messages": chat}, {"messages": ["one two three", None, "four five"]}]
    assert len(neardup.deduplicate(records, text="messages").kept) == 1


def test_sets_of_integers_bring_their_own_features():
    result = neardup.deduplicate([[1, 2, 3, 4], {4, 3, 2, 1}, (9, 8), np.array([1, 2, 3, 4, 5], dtype=np.uint64)])
    assert result.pairs == [(0, 1, 1.0), (0, 3, 0.8)]


@pytest.mark.parametrize(
    "threshold", [0.8, "0.8", "4/5", Fraction(4, 5), Decimal("0.8"), np.float64(0.8), np.float32(0.8)]
)
def test_a_threshold_is_exact_whatever_its_type(threshold):
    sets = [list(range(8)), list(range(2, 10)), list(range(9))]  # 6/10, 8/9, 7/10
    assert len(neardup.pairs([[1, 2, 3, 4, 5], [1, 2, 3, 4]], threshold=threshold)) == 1
    assert len(neardup.deduplicate(sets, threshold=threshold).kept) == 2


def test_pairs_and_clusters_equal_brute_force(corpus):
    for threshold in (Fraction(1, 2), Fraction(4, 5), Fraction(2, 3)):
        expected = brute_force_pairs(corpus, threshold)
        assert expected
        assert neardup.pairs(corpus, threshold=threshold) == expected
        labels = list(range(len(corpus)))
        for left, right, _ in expected:
            low, high = sorted((labels[left], labels[right]))
            labels = [low if label == high else label for label in labels]
        result = neardup.deduplicate(corpus, threshold=threshold)
        assert result.kept_rows.tolist() == sorted(set(labels))


def test_the_command_line_keeps_the_same_documents(corpus, tmp_path):
    records = [{"id": f"d{n}", "text": text, "n": n % 7} for n, text in enumerate(corpus)]
    file = write_jsonl(tmp_path / "pages.jsonl", records)
    for clusters in ("components", "star", "complete"):
        out = tmp_path / clusters
        run = run_program(
            "dedup", file, "-o", out, "--clusters", clusters, "--keep", "max:n,longest", "--threshold", "0.6"
        )
        assert run.returncode == 0, run.stderr
        options = {"clusters": clusters, "keep": "max:n,longest", "threshold": 0.6}
        for data in (records, str(file), iter(records)):
            result = neardup.deduplicate(data, **options)
            kept = [json.loads(line)["id"] for line in (out / "kept.jsonl").read_text().splitlines()]
            assert [record["id"] for record in result.kept] == kept
            pairs = "".join(f"{left}\t{right}\t{score:.6f}\n" for left, right, score in result.pairs)
            assert "left\tright\tscore\n" + pairs == (out / "pairs.tsv").read_text()
            listed = [
                f"{cluster.kept}\t{member}\t{int(member == cluster.kept)}"
                for cluster in result.clusters
                for member in cluster.members
            ]
            assert listed == (out / "clusters.tsv").read_text().splitlines()[1:]


def test_files_give_records_that_are_read_when_iterated_over(tmp_path):
    file = write_jsonl(tmp_path / "a.jsonl", [{"id": n, "text": text} for n, text in enumerate(FOXES)])
    for data in (str(file), file, [file]):
        result = neardup.deduplicate(data)
        assert len(result.kept) == 2
        assert list(result.kept) == [{"id": "0", "text": FOXES[0]}, {"id": "1", "text": FOXES[1]}]
        assert list(result.kept) == list(result.kept)


def test_output_writes_what_the_command_line_writes(tmp_path):
    file = write_jsonl(tmp_path / "a.jsonl", [{"id": n, "text": text} for n, text in enumerate(FOXES)])
    neardup.deduplicate(file, output=str(tmp_path / "kept.jsonl"))
    assert (tmp_path / "kept.jsonl").read_text().count("\n") == 2
    with pytest.raises(neardup.OutputError, match="overwrite") as raised:
        neardup.deduplicate(file, output=str(tmp_path / "kept.jsonl"))
    assert raised.value.code == "output"
    neardup.deduplicate(file, output=str(tmp_path / "kept.jsonl"), overwrite=True)


def test_an_iterator_gives_records_that_can_be_iterated_over_again(corpus):
    expected = neardup.deduplicate(corpus)
    result = neardup.deduplicate(text for text in corpus)
    assert list(result.kept) == expected.kept
    assert list(result.removed) == expected.removed
    assert result.pairs == expected.pairs


def test_a_long_iterator_is_spooled_to_the_temporary_folder(tmp_path):
    texts = make_corpus(2000, seed=5, words_per_text=2000)
    result = neardup.deduplicate(iter(texts), memory="24M", temp_folder=tmp_path)
    spool = result._source.spool
    assert spool._places
    assert list(result.kept) == neardup.deduplicate(texts).kept
    assert not list(tmp_path.iterdir())


def test_against_removes_what_the_other_data_have():
    result = neardup.deduplicate(FOXES, against=[{"id": "x", "text": FOXES[0] + "!"}])
    assert result.kept == ["something else"]
    assert [decision.status for decision in result.decisions] == ["against", "document", "against"]
    assert result.explain(2).kept == "x"
    only = neardup.deduplicate(FOXES, against=["Something else"], against_only=True)
    assert only.kept == [FOXES[0], FOXES[2]]


def test_drop_empty_removes_records_without_words():
    result = neardup.deduplicate(["...", "some words", "?"], drop_empty=True)
    assert result.kept == ["some words"]
    assert result.removed == ["...", "?"]
    assert [decision.status for decision in result.decisions] == ["dropped", "document", "dropped"]
    assert neardup.deduplicate(["...", "some words", "?"]).kept == ["...", "some words", "?"]


def test_rethreshold_equals_a_run_at_that_threshold(corpus):
    result = neardup.deduplicate(corpus)
    for threshold in (0.5, 0.95):
        again = result.rethreshold(threshold)
        fresh = neardup.deduplicate(corpus, threshold=threshold)
        assert again.kept == fresh.kept
        assert again.pairs == fresh.pairs


def test_explain_shows_the_chain_and_the_difference():
    texts = ["a b c d e f g h i j", "a b c d e f g h i k", "a b c d e f g h l k"]
    result = neardup.deduplicate(texts, features="words", threshold="9/11")
    assert result.kept == texts[:1]
    explanation = result.explain(2)
    assert (explanation.outcome, explanation.kept, explanation.score) == ("removed", 0, None)
    assert [pair[:2] for pair in explanation.chain] == [(2, 1), (1, 0)]
    assert explanation.comparison.diff[-1] == ("replaced", "l k", "i j")
    assert "stands for it" in str(explanation)
    assert result.explain(0).outcome == "kept"
    with pytest.raises(neardup.UsageError, match="no record 3"):
        result.explain(3)


def test_a_finder_that_may_miss_pairs_measures_its_recall(corpus):
    assert neardup.deduplicate(corpus).recall == (1.0, 1.0, 1.0, 0, 0)
    recall = neardup.deduplicate(corpus, finder="minhash", threshold=0.6).recall
    assert 0.5 < recall.value <= 1
    assert 200 < recall.documents <= len(corpus)  # distinct ones
    assert neardup.deduplicate(corpus, finder="minhash", measure_recall=False).recall is None


def test_results_show_themselves_and_escape_what_comes_from_data():
    bad = "<script>alert(1)</script> one two three four five six"
    shown = neardup.deduplicate([bad, bad + "!", "other text"])._repr_html_()
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown
    assert "<script>" not in neardup.compare(bad, bad + " <b>more</b>")._repr_html_()


def test_progress_names_the_stages(corpus):
    seen = []
    neardup.deduplicate(corpus * 50, progress=lambda *state: seen.append((state[0], state[3])))
    assert seen
    assert all(isinstance(stage, str) for stage, _ in seen)


def test_the_answer_does_not_depend_on_threads(corpus):
    one, four = (neardup.deduplicate(corpus, threads=threads) for threads in (1, 4))
    assert one.pairs == four.pairs
    assert one.kept == four.kept
