"""HammingIndex beside brute force."""

import threading

import neardup
import numpy as np
import pytest


@pytest.fixture(scope="module")
def codes():
    rng = np.random.default_rng(3)
    base = rng.integers(0, 2**64, 3000, dtype=np.uint64)
    near = base[:1500] ^ (np.uint64(1) << rng.integers(0, 64, 1500, dtype=np.uint64))
    near[::2] ^= np.uint64(1) << rng.integers(0, 64, 750, dtype=np.uint64)
    return np.concatenate([base, near, base[:20]])


def brute_force(queries, codes, distance):
    found = []
    for number, query in enumerate(queries):
        distances = np.bitwise_count(codes ^ query)
        found += [(number, int(row), int(distances[row])) for row in np.flatnonzero(distances <= distance)]
    return found


def listed(matches):
    return list(zip(*(column.tolist() for column in matches), strict=True))


@pytest.mark.parametrize("kind", ["fast", "scan", "block-tables", "compressed-tables"])
@pytest.mark.parametrize("distance", [0, 2, 3, 6])
def test_search_equals_brute_force(codes, kind, distance):
    index = neardup.HammingIndex(codes, kind=kind, distance=max(distance, 1))
    queries = codes[::37].copy()
    expected = brute_force(queries, codes, distance)
    assert listed(index.search(queries, distance)) == expected
    first = index.first(queries, distance)
    lowest = {}
    for query, row, _ in expected:
        lowest.setdefault(query, row)
    assert first.tolist() == [lowest.get(query, -1) for query in range(len(queries))]


def test_self_join_equals_brute_force(codes):
    expected = [(left, right, d) for left, right, d in brute_force(codes, codes, 2) if left < right]
    assert listed(neardup.HammingIndex.self_join(codes, 2)) == expected


def test_an_index_says_what_it_is(codes):
    index = neardup.HammingIndex(codes)
    assert len(index) == len(codes)
    assert index.kind == "fast"
    assert index.exact_up_to(3)
    assert 0 < index.nbytes / len(index) <= 45 or len(index) < 100_000
    assert "4,520 fingerprints" in repr(index)
    assert "fast" in neardup.hamming_kinds()


def test_arrays_of_uint64_are_not_copied_and_others_are_converted(codes):
    index = neardup.HammingIndex(codes)
    assert neardup._hamming.as_codes(codes) is codes
    assert listed(index.search(codes[:5].view(np.int64), 0)) == listed(index.search(codes[:5], 0))
    assert listed(index.search(codes[:10:2], 0)) == listed(index.search(codes[:10:2].copy(), 0))
    assert listed(index.search([int(codes[0])], 0))[0][:2] == (0, 0)
    with pytest.raises(neardup.UsageError, match="float64"):
        index.search(np.array([1.5]))
    with pytest.raises(neardup.UsageError, match="2 dimensions"):
        index.search(codes.reshape(2, -1))


def test_no_fingerprints_and_no_queries_are_no_error(codes):
    empty = np.array([], dtype=np.uint64)
    assert listed(neardup.HammingIndex(empty).search(codes[:3], 3)) == []
    assert listed(neardup.HammingIndex(codes).search(empty, 3)) == []
    assert listed(neardup.HammingIndex.self_join(empty)) == []


def test_wrong_options_are_usage_errors(codes):
    with pytest.raises(neardup.UsageError, match="fst"):
        neardup.HammingIndex(codes, kind="fst")
    with pytest.raises(neardup.UsageError, match="65"):
        neardup.HammingIndex(codes).search(codes[:1], 65)


def test_volatile_bits_take_the_volatility_of_queries(corpus):
    prints = neardup.fingerprints_and_more(corpus, features="words", volatility=True)
    index = neardup.HammingIndex(prints.codes, kind="volatile-bits")
    found = set(listed(index.search(prints.codes, 3, volatility=prints.volatility)))
    assert found <= set(brute_force(prints.codes, prints.codes, 3))
    assert len(found) >= 0.9 * len(brute_force(prints.codes, prints.codes, 3))
    with pytest.raises(neardup.UsageError, match="volatility"):
        index.search(prints.codes, 3)


def test_two_threads_search_one_index(codes):
    index = neardup.HammingIndex(codes)
    expected = listed(index.search(codes, 3))
    answers = []
    threads = [threading.Thread(target=lambda: answers.append(listed(index.search(codes, 3)))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [expected] * 4


def test_fingerprints_find_near_duplicates_as_the_measure_hamming_does(corpus):
    codes, valid, _ = neardup.fingerprints_and_more(corpus, features="words")
    joined = [pair for pair in listed(neardup.HammingIndex.self_join(codes, 6)) if valid[pair[0]] and valid[pair[1]]]
    assert joined
    assert neardup.pairs(corpus, features="words", measure="hamming", threshold=6) == [
        (a, b, float(d)) for a, b, d in joined
    ]
