#!/usr/bin/env python3
"""Folders that the Python package `datasets` saved: read as one collection, written so that it loads them again.

Where the package is installed (tools/setup.sh python), it saves and loads; otherwise folders are made by hand and read as streams.
"""
import importlib.util
import json
import os
import subprocess
import sys

from support import check, main, neardup, read_jsonl, texts, write_jsonl

import pyarrow as pa
import pyarrow.ipc

ROWS = [{"text": text, "label": i % 2} for i, text in enumerate(texts(90))]
LOAD = """
import sys, json, datasets
loaded = datasets.load_from_disk(sys.argv[1])
if isinstance(loaded, dict):
    print(json.dumps({name: [row for row in split] for name, split in loaded.items()}))
else:
    print(json.dumps([row for row in loaded]))
"""


def write_dataset(folder, rows, shards=2):
    """As save_to_disk() of `datasets` does it."""
    folder.mkdir(parents=True)
    schema = pa.schema({"text": pa.string(), "label": pa.int64()}).with_metadata({"huggingface": json.dumps(
        {"info": {"features": {"text": {"dtype": "string", "_type": "Value"}, "label": {"dtype": "int64", "_type": "Value"}}}})})
    names = [f"data-{i:05}-of-{shards:05}.arrow" for i in range(shards)]
    for i, name in enumerate(names):
        mine = rows[len(rows) * i // shards:len(rows) * (i + 1) // shards]
        with pa.OSFile(str(folder / name), "wb") as file, pa.ipc.new_stream(file, schema) as writer:
            writer.write_table(pa.Table.from_pylist(mine, schema=schema), max_chunksize=20)
    (folder / "state.json").write_text(json.dumps({"_data_files": [{"filename": name} for name in names], "_fingerprint": "0123",
                                                   "_format_columns": None, "_format_kwargs": {}, "_format_type": None,
                                                   "_output_all_columns": False, "_split": None}))
    (folder / "dataset_info.json").write_text(json.dumps({
        "citation": "", "description": "", "features": {"text": {"dtype": "string", "_type": "Value"}, "label": {"dtype": "int64", "_type": "Value"}},
        "splits": {"train": {"name": "train", "num_bytes": 1, "num_examples": len(rows)}}}))
    (folder / "cache-0123.arrow").write_bytes(b"not to be read")


def load(folder):
    if importlib.util.find_spec("datasets") is not None:
        done = subprocess.run([sys.executable, "-c", LOAD, str(folder)], capture_output=True, check=False,
                              env={**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(folder.parent / "home")})
        check(done.returncode == 0, done.stderr.decode()[-2000:])
        return json.loads(done.stdout or "[]")
    if (folder / "dataset_dict.json").exists():
        return {name: load(folder / name) for name in json.loads((folder / "dataset_dict.json").read_text())["splits"]}
    rows = []
    for part in json.loads((folder / "state.json").read_text())["_data_files"]:
        with pa.OSFile(str(folder / part["filename"])) as file:
            rows += pa.ipc.open_stream(file).read_all().to_pylist()
    return rows


def kept_of(rows, folder, *options):
    write_jsonl(folder / "rows.jsonl", rows)
    neardup("dedup", folder / "rows.jsonl", "-o", folder / "rows-kept.jsonl", "--force", "--quiet", *options)
    return read_jsonl(folder / "rows-kept.jsonl")


def a_dataset_comes_out_as_one(folder):
    write_dataset(folder / "ds", ROWS)
    neardup("dedup", folder / "ds", "-o", folder / "out", "--quiet")
    check(load(folder / "out/kept") == kept_of(ROWS, folder), "the kept rows")
    state = json.loads((folder / "out/kept/state.json").read_text())
    check(state["_fingerprint"] not in ("0123", ""), "it has another fingerprint")
    check(json.loads((folder / "out/kept/dataset_info.json").read_text())["splits"] is None, "old counts are gone")
    check(not (folder / "out/kept/cache-0123.arrow").exists(), "caches are neither read nor written")


def splits_stay_apart_but_are_compared(folder):
    write_dataset(folder / "dd/train", ROWS[:60])
    write_dataset(folder / "dd/test", ROWS[60:] + ROWS[:5], shards=1)
    (folder / "dd/dataset_dict.json").write_text('{"splits": ["train", "test"]}')
    neardup("dedup", folder / "dd", "-o", folder / "out", "--quiet")
    kept = kept_of(ROWS[:60] + ROWS[60:] + ROWS[:5], folder)
    got = load(folder / "out/kept")
    check(list(got) == ["train", "test"] and got["train"] + got["test"] == kept, "train comes before test")


def a_split_without_rows_is_still_there(folder):
    write_dataset(folder / "dd/train", ROWS[:30], shards=1)
    write_dataset(folder / "dd/test", ROWS[:3], shards=1)
    (folder / "dd/dataset_dict.json").write_text('{"splits": ["train", "test"]}')
    neardup("dedup", folder / "dd", "-o", folder / "out", "--quiet")
    check(load(folder / "out/kept")["test"] == [], "an empty split")


def annotated_datasets_load(folder):
    write_dataset(folder / "ds", ROWS)
    neardup("dedup", folder / "ds", "--annotate", "-o", folder / "out", "--quiet")
    got = load(folder / "out/kept")
    check(len(got) == len(ROWS) and {"neardup_cluster", "neardup_kept", "neardup_score"} <= set(got[0]), got[:1])


def one_file_or_json_lines(folder):
    write_dataset(folder / "ds", ROWS)
    neardup("dedup", folder / "ds", "-o", folder / "kept.arrow", "--quiet")
    with pa.OSFile(str(folder / "kept.arrow")) as file:
        check(pa.ipc.open_file(file).read_all().to_pylist() == kept_of(ROWS, folder), "an Arrow file")
    neardup("dedup", folder / "ds", "-o", folder / "kept.jsonl", "--quiet")
    check(read_jsonl(folder / "kept.jsonl") == kept_of(ROWS, folder), "JSON lines")


def damaged_descriptions_are_refused(folder):
    write_dataset(folder / "ds", ROWS)
    for state in ("{", "[]", '{"_data_files": 3}', '{"_data_files": [{"filename": "../x"}]}', '{"_data_files": [{"filename": "gone.arrow"}]}',
                  '{"_data_files": [], "_indices_data_files": [{"filename": "i.arrow"}]}'):
        (folder / "ds/state.json").write_text(state)
        _, error = neardup("dedup", folder / "ds", "-o", folder / "out", code=2)
        check("state.json" in error and not (folder / "out").exists(), f"{state}: {error}")


main(a_dataset_comes_out_as_one, splits_stay_apart_but_are_compared, a_split_without_rows_is_still_there, annotated_datasets_load,
     one_file_or_json_lines, damaged_descriptions_are_refused)
