"""The same run by the command line and by Spark, as values that can be compared."""

import csv
import json
import pathlib
import random
import subprocess


def documents(seed, families, copies=True):
    """Return rows in which families of similar texts, copies and short texts occur."""
    rng = random.Random(seed)
    words = [f"w{i}" for i in range(400)]
    rows = []
    for _ in range(families):
        base = [rng.choice(words) for _ in range(rng.choice([0, 2, 5, 20, 40, 60]))]
        for _ in range(rng.randint(1, 5)):
            text = list(base)
            for _ in range(rng.randint(0, 3)):
                if text:
                    text[rng.randrange(len(text))] = rng.choice(words)
            if copies and rng.random() < 0.2:
                text = list(base)
            rows.append(" ".join(text))
    rng.shuffle(rows)
    return [
        {
            "id": f"d{i:05}",
            "text": text,
            "at": i,
            "score": rng.choice([None, "1", "2.5", "10", "many"]),
            "date": rng.choice([None, "2024-01-31", "Fri, 31 Jan 2025 10:00:00 GMT", "soon"]),
            "lang": rng.choice(["en", "de", None]),
        }
        for i, text in enumerate(rows)
    ]


def write_jsonl(path, rows):
    with pathlib.Path(path).open("w") as out:
        for row in rows:
            out.write(json.dumps({k: v for k, v in row.items() if v is not None}) + "\n")


def command_line(program, folder, rows, *flags, against=None):
    """Run `neardup dedup` and return what it decided."""
    source, out = folder / "in.jsonl", folder / "out"
    write_jsonl(source, rows)
    command = [program, "dedup", str(source), "-o", str(out), "--force", "--quiet", *flags]
    if against is not None:
        write_jsonl(folder / "other.jsonl", against)
        command += ["--against", str(folder / "other.jsonl")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    kept = [json.loads(line)["id"] for line in (out / "kept.jsonl").read_text().splitlines()]
    removed = [json.loads(line) for line in (out / "removed.jsonl").read_text().splitlines()]
    return {
        "kept": sorted(kept),
        "removed": sorted(
            (r["id"], r["kept"], "null" if r["score"] is None else printed(r["score"]), r["rule"], r.get("from"))
            for r in removed
        ),
        "clusters": sorted(tuple(row) for row in table(out / "clusters.tsv")),
        "pairs": sorted((a, b, printed(float(s))) for a, b, s in table(out / "pairs.tsv")),
    }


def table(path):
    with path.open(newline="") as lines:
        return list(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]


def printed(score):
    return f"{score:.6f}"


def on_spark(result):
    """Return what `neardup.spark.deduplicate` decided."""
    return {
        "kept": sorted(row["id"] for row in result.kept.select("id").collect()),
        "removed": sorted(
            (r["id"], r["kept"], "null" if r["score"] is None else printed(r["score"]), r["rule"], r["from"])
            for r in result.removed.collect()
        ),
        "clusters": sorted((r["cluster"], r["id"], str(int(r["kept"]))) for r in result.clusters.collect()),
        "pairs": sorted((r["left"], r["right"], printed(r["score"])) for r in result.pairs.collect()),
    }


def frame(spark, rows, partitions=3):
    schema = "id string, text string, at long, score string, date string, lang string"
    return spark.createDataFrame(
        [tuple(r[k] for k in ("id", "text", "at", "score", "date", "lang")) for r in rows], schema
    ).repartition(partitions, "at")
