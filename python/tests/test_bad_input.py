"""Whatever is wrong with data is a counted bad record or a clear exception, as on the command line."""

import math

import neardup
import pytest
from conftest import FOX, FOXES


def reasons(result):
    return [bad["reason"] for bad in result.report["first_bad_records"]]


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (None, "the text is None, expected a str"),
        (math.nan, "the text is NaN, expected a str"),
        (b"bytes", "the text is bytes, expected a str: decode it first"),
        (5, "the text is an int, expected a str"),
        ({"text": "x"}, "the text is a dict, expected a str"),
        (["x"], "the text is a list, expected a str"),
    ],
)
def test_what_is_not_a_text_is_a_bad_record(value, reason):
    result = neardup.deduplicate([FOX, value, FOX])
    assert repr(result) == "Result(1 kept, 1 removed, 1 bad)"
    assert result.bad_rows.tolist() == [1]
    assert reasons(result) == [reason]
    assert result.decisions[1].status == "bad"
    assert result.explain(1).outcome == "bad"
    with pytest.raises(neardup.InputError, match="expected a str") as raised:
        neardup.deduplicate([FOX, value, FOX], on_bad_record="fail")
    assert raised.value.option == "on_bad_record"


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ({"id": 1}, 'no field "text"'),
        ({"id": 1, "text": None}, '"text" is None, expected a str'),
        ({"id": 1, "text": 5}, '"text" is an int, expected a str'),
        ({"id": 1, "text": [5]}, '"text" is a list with an int in it'),
        ({"text": "x"}, 'no id in "id"'),
        ({"id": None, "text": "x"}, 'no id in "id"'),
        ({"id": math.nan, "text": "x"}, 'no id in "id"'),
        ({"id": True, "text": "x"}, '"id" is a bool, expected a str or an int'),
        ({"id": (1,), "text": "x"}, '"id" is a tuple, expected a str or an int'),
        ("a text", "the record is a str, expected a dict"),
    ],
)
def test_a_record_without_text_or_id_is_bad(record, reason):
    result = neardup.deduplicate([{"id": "a", "text": FOX}, record], id="id")
    assert reasons(result) == [reason]
    assert len(result.kept) == 1


def test_a_record_without_an_id_is_called_by_its_place_unless_ids_are_asked_for():
    result = neardup.deduplicate([{"id": "a", "text": FOX}, {"text": FOX}])
    assert result.clusters == [("a", ["a", 1])]


def test_nothing_but_bad_records_is_an_error():
    with pytest.raises(neardup.InputError, match="none of the 2 records could be read"):
        neardup.deduplicate([None, None])


def test_lone_surrogates_read_as_replacement_characters_and_are_counted():
    text = "one two\ud800three four five six seven"
    result = neardup.deduplicate([text, "one two\ufffdthree four five six seven", FOX])
    assert result.report["repaired_texts"] == 1
    assert result.pairs == [(0, 1, 1.0)]
    assert result.kept[0] == text
    edits = neardup.pairs(["a\ud800b", "a\ufffdb"], measure="edit", as_is=True, threshold=0)
    assert edits == [(0, 1, 0.0)]


def test_an_empty_list_is_no_error():
    result = neardup.deduplicate([])
    assert (result.kept, result.removed, result.pairs, result.clusters) == ([], [], [], [])
    assert neardup.pairs([]) == []
    assert neardup.fingerprints([]).tolist() == []
    assert list(neardup.deduplicate(iter([])).kept) == []


def test_texts_without_words_are_kept_and_in_no_pair():
    with pytest.warns(neardup.NeardupWarning, match="have no words"):
        result = neardup.deduplicate(["", "...", "", "!"])
    assert len(result.kept) == 4
    assert result.report["without_features"] == 4


def test_a_column_that_is_not_there_is_named_with_the_one_that_was_meant():
    with pytest.raises(neardup.UsageError, match='no record has the field "txt": did you mean "text"') as raised:
        neardup.deduplicate([{"text": FOX}], text="txt")
    assert (raised.value.code, raised.value.option) == ("usage", "text")
    with pytest.raises(neardup.UsageError, match=r'"scor", .* did you mean "score"'):
        neardup.deduplicate([{"text": FOX, "score": 1}], keep="max:scor")
    with pytest.raises(neardup.UsageError, match="not records"):
        neardup.deduplicate(FOXES, text="body")


@pytest.mark.parametrize(
    ("options", "message", "option"),
    [
        ({"threshold": 1.5}, "threshold 1.5 is out of range", "threshold"),
        ({"threshold": math.nan}, "expected a finite number", "threshold"),
        ({"threshold": True}, "expected a number", "threshold"),
        ({"threshold": "much"}, "threshold", "threshold"),
        ({"measure": "jacard"}, "jaccard", "measure"),
        ({"features": "word:5"}, "words", "features"),
        ({"finder": "minhsh"}, "minhash", "finder"),
        ({"keep": "max"}, "max:FIELD", "keep"),
        ({"clusters": "stars"}, "star", "clusters"),
        ({"memory": "lots"}, "memory is 'lots'", "memory"),
        ({"on_bad_record": "ignore"}, "skip, fail", "on_bad_record"),
        ({"threads": -1}, "threads", "threads"),
        ({"sample": "half"}, "sample", "sample"),
        ({"measure": "edit", "threshold": 2, "features": "chars:3"}, "leave features out", "features"),
    ],
)
def test_wrong_options_are_value_errors_that_name_the_keyword(options, message, option):
    with pytest.raises(neardup.UsageError, match=message) as raised:
        neardup.deduplicate(FOXES, **options)
    assert isinstance(raised.value, ValueError)
    assert raised.value.option == option
    assert "`" not in str(raised.value)
    assert "--" not in str(raised.value)


def test_a_keyword_that_does_not_exist_is_a_type_error_as_everywhere_in_python():
    with pytest.raises(TypeError, match="did you mean target_recall="):
        neardup.deduplicate(FOXES, taget_recall=0.9)


@pytest.mark.parametrize("data", [None, b"text", {"text": "x"}, 5, object()])
def test_what_is_no_data_is_a_type_error(data):
    with pytest.raises(TypeError, match="expected a list, a table, an iterator or a path"):
        neardup.deduplicate(data)


def test_a_file_that_is_not_there_is_an_os_error(tmp_path):
    with pytest.raises(neardup.InputError, match=r"nothing\.jsonl") as raised:
        neardup.deduplicate(tmp_path / "nothing.jsonl")
    assert isinstance(raised.value, OSError)
    assert raised.value.code == "input"


def test_too_little_memory_is_a_memory_error():
    with pytest.raises(neardup.LimitError) as raised:
        neardup.deduplicate([FOX * 100] * 1000, memory=1000)
    assert isinstance(raised.value, MemoryError)
    assert raised.value.option == "memory"


class OwnError(Exception):
    pass


def test_what_a_generator_raises_comes_out_unchanged():
    def texts():
        yield FOX
        raise OwnError("midway")

    with pytest.raises(OwnError, match="midway"):
        neardup.deduplicate(texts())


def test_what_python_raises_while_documents_are_read_again_comes_out_unchanged():
    calls = []

    def batches():
        calls.append(1)
        if len(calls) > 1:
            raise OwnError("the second time")
        return iter([[FOX]])

    documents = neardup._core.documents_of_batches(batches, [FOX], {})
    collection = neardup._core.collection_of(documents, {})

    def twice():
        for _ in range(2):
            neardup._core.deduplicate(collection, None, {}, {})

    with pytest.raises(OwnError, match="the second time"):
        twice()


def test_data_that_change_between_readings_are_an_input_error():
    numbers = iter(range(100))
    documents = neardup._core.documents_of_batches(lambda: iter([[f"{FOX} {next(numbers)}"] * 2]), [FOX], {})
    collection = neardup._core.collection_of(documents, {})
    with pytest.raises(neardup.InputError):
        neardup._core.pairs(collection, None, {"measure": "edit", "threshold": "3"}, {})


def test_a_list_that_changes_meanwhile_does_no_harm():
    texts = list(FOXES)
    result = neardup.deduplicate(texts)
    texts.clear()
    assert result.kept == FOXES[:2]
    assert result.pairs[0][:2] == (0, 2)


@pytest.mark.slow
def test_a_text_past_two_gigabytes_is_a_bad_record():
    result = neardup.deduplicate([FOX, "a " * (1 << 30) + "b"])
    assert result.bad_rows.tolist() == [1]
    assert len(result.kept) == 1
