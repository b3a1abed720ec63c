#!/usr/bin/env python3
"""Compares the figures of `neardup evaluate` with those of scikit-learn, and B-cubed and purity with their definitions.

    sklearn_agrees.py NEARDUP      exit 77 without scikit-learn (ctest: skipped)
"""
import csv
import json
import pathlib
import random
import subprocess
import sys
import tempfile

SKIPPED = 77
try:
    from sklearn import metrics
except ImportError:
    print("sklearn_agrees: scikit-learn is not installed (tools/setup.sh python)")
    sys.exit(SKIPPED)
LARGEST_DIFFERENCE = 1.1e-6  # six decimals are printed


def bcubed(truth, found):
    """Document by document."""
    documents = range(len(truth))
    both = [sum(truth[a] == truth[b] and found[a] == found[b] for b in documents) for a in documents]
    precision = sum(both[a] / found.count(found[a]) for a in documents) / len(truth)
    recall = sum(both[a] / truth.count(truth[a]) for a in documents) / len(truth)
    return precision, recall


def purity(truth, found):
    return sum(max(sum(t == label and f == cluster for t, f in zip(truth, found)) for label in set(truth)) for cluster in set(found)) / len(truth)


def write(path, labels):
    with open(path, "w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "label"])
        rows.writerows((f"document {i}", f"group {label}") for i, label in enumerate(labels))


def evaluated(program, folder, truth, found):
    write(folder / "truth.csv", truth)
    write(folder / "found.csv", found)
    command = [program, "evaluate", str(folder / "found.csv"), "--truth", str(folder / "truth.csv"), "--json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def check(name, ours, theirs):
    if abs(ours - theirs) > LARGEST_DIFFERENCE:
        raise SystemExit(f"{name}: neardup {ours}, expected {theirs}")


def compare(program, folder, truth, found):
    ours = evaluated(program, folder, truth, found)
    check("ARI", ours["ari"], metrics.adjusted_rand_score(truth, found))
    for name, score in zip(("homogeneity", "completeness", "v_measure"), metrics.homogeneity_completeness_v_measure(truth, found)):
        check(name, ours[name], score)
    (_, false_pairs), (missed, common) = metrics.cluster.pair_confusion_matrix(truth, found)  # ordered pairs
    assert ours["common_pairs"] == common // 2 and ours["found_pairs"] == (common + false_pairs) // 2
    assert ours["true_pairs"] == (common + missed) // 2
    check("precision", ours["precision"]["value"], common / (common + false_pairs) if common + false_pairs else 1)
    check("recall", ours["recall"]["value"], common / (common + missed) if common + missed else 1)
    for name in ("precision", "recall", "f1"):
        assert ours[name]["low"] <= ours[name]["value"] <= ours[name]["high"], name
    if len(truth) <= 300:
        for name, score in zip(("precision", "recall"), bcubed(truth, found)):
            check("B-cubed", ours["bcubed"][name], score)
        check("purity", ours["purity"], purity(truth, found))
        check("inverse purity", ours["inverse_purity"], purity(found, truth))


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    numbers = random.Random(3)
    cases = [([0], [0]), ([0, 0], [0, 1]), ([0, 1], [0, 0]), ([0, 1, 2], [0, 1, 2]), ([0] * 5, [0] * 5)]
    for documents in (20, 100, 300, 20000):
        for clusters in (2, max(2, documents // 3)):
            truth = [numbers.randrange(clusters) for _ in range(documents)]
            found = [label if numbers.random() < 0.8 else numbers.randrange(clusters) for label in truth]
            cases.append((truth, found))
    with tempfile.TemporaryDirectory() as folder:
        for truth, found in cases:
            compare(program, pathlib.Path(folder), truth, found)
    print(f"{len(cases)} cases agree")


main()
