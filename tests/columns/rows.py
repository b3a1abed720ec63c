#!/usr/bin/env python3
"""Rows of Parquet and Arrow files: read by every verb as the same rows of JSON lines are, written back as they stood."""
import json

from support import check, main, neardup, read_jsonl, texts, write_jsonl

import pyarrow as pa
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet as pq

ROWS = [{"id": f"r{i}", "text": text, "year": 2000 + i % 20, "meta": {"lang": "en" if i % 3 else "de", "score": i / 8}}
        for i, text in enumerate(texts(400))]
TABLE = pa.Table.from_pylist(ROWS)


def write_stream(table, path, codec=None, rows=100):
    options = pa.ipc.IpcWriteOptions(compression=codec)
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, table.schema, options=options) as writer:
        writer.write_table(table, max_chunksize=rows)


def write_file(table, path, codec=None, rows=100):
    options = pa.ipc.IpcWriteOptions(compression=codec)
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema, options=options) as writer:
        writer.write_table(table, max_chunksize=rows)


WRITERS = {"data.parquet": lambda table, path: pq.write_table(table, path, row_group_size=64),
           "data.arrow": write_file, "data.arrows": write_stream,
           "data.feather": lambda table, path: pa.feather.write_feather(table, str(path), compression="lz4", chunksize=100)}


def read(path):
    start = path.read_bytes()[:4]
    if start == b"PAR1":
        return pq.read_table(path)
    with pa.OSFile(str(path)) as file:
        return (pa.ipc.open_file(file) if start == b"ARRO" else pa.ipc.open_stream(file)).read_all()


def kept_ids(path):
    return [row["id"] for row in read(path).to_pylist()]


def every_format_keeps_what_json_lines_keep(folder):
    write_jsonl(folder / "data.jsonl", ROWS)
    neardup("dedup", folder / "data.jsonl", "-o", folder / "kept.jsonl", "--quiet")
    expected = read_jsonl(folder / "kept.jsonl")
    for name, write in WRITERS.items():
        write(TABLE, folder / name)
        neardup("dedup", folder / name, "-o", folder / f"kept-{name}", "--quiet")
        got = read(folder / f"kept-{name}")
        check(got.to_pylist() == expected, f"{name}: {got.num_rows} rows, expected {len(expected)}")
        check(got.schema.equals(TABLE.schema, check_metadata=True), f"{name}: the schema is\n{got.schema}")
        neardup("dedup", folder / name, "-o", folder / f"{name}.jsonl", "--quiet")
        check(read_jsonl(folder / f"{name}.jsonl") == expected, f"{name} as JSON lines")
        check((folder / f"{name}.jsonl").read_text() == "".join(
            json.dumps(row, separators=(",", ":")) + "\n" for row in expected), f"{name}: the bytes of its JSON lines")


def lists_are_those_of_json_lines(folder):
    write_jsonl(folder / "data.jsonl", ROWS)
    for name, write in WRITERS.items():
        write(TABLE, folder / name)
    for options in ([], ["--keep", "max:meta.score"], ["--keep", "prefer:meta.lang=de,newest:year"], ["--limit", "100"],
                    ["--sample", "0.5"], ["--text", "text,meta.lang"], ["--features", "chars:5"], ["--measure", "edit", "--threshold", "9"]):
        outputs = {}
        for name in ("data.jsonl", *WRITERS):
            out = folder / f"out-{name.replace('.', '-')}"
            neardup("dedup", folder / name, "-o", out, "--force", "--quiet", *options)
            outputs[name] = [(out / file).read_bytes() for file in ("removed.jsonl", "clusters.tsv", "pairs.tsv")]
            kept = out / f"kept.{name.split('.')[1]}"
            check(kept.is_file(), f"{kept} is there")
        for name, got in outputs.items():
            check(got == outputs["data.jsonl"], f"{name} with {options} has the lists of JSON lines")


def every_verb_reads_them(folder):
    write_jsonl(folder / "data.jsonl", ROWS)
    queries = folder / "queries.tsv"
    queries.write_text("word1 word2\t5\nword3\t2\n")
    for name, write in WRITERS.items():
        write(TABLE, folder / name)
        for verb in (["pairs"], ["pairs", "--show", "year,meta.lang"], ["fingerprint", "-o", "-"],
                     ["pairs", "--against", folder / "data.jsonl", "--features", "words"],
                     ["clean", "--queries", queries, "-o", folder / "cleaned", "--force"]):
            expected, _ = neardup(verb[0], folder / "data.jsonl", *verb[1:], "--quiet")
            got, _ = neardup(verb[0], folder / name, *verb[1:], "--quiet")
            check(got == expected, f"{verb[0]} {name}: {got[:200]} instead of {expected[:200]}")
        out = folder / f"why-{name.replace('.', '-')}"
        neardup("dedup", folder / name, "-o", out, "--quiet")
        removed = read_jsonl(out / "removed.jsonl")[0]["id"]
        shown, _ = neardup("why", out, removed)
        check(removed.encode() in shown, f"why of a row of {name}: {shown[:300]}")


def rows_without_ids_go_by_their_numbers(folder):
    pq.write_table(pa.table({"text": ["a b c d e f", "x y z", "a b c d e f"]}), folder / "t.parquet")
    got, _ = neardup("pairs", "t.parquet", "--quiet", folder=folder)
    check(got == b"left\tright\tscore\nt.parquet:1\tt.parquet:3\t1.000000\n", got)


def types_of_text(folder):
    values = ["one two three four five six", None, "something else entirely it is", "one two three four five six"]
    kinds = {"large_string": pa.large_string(), "string_view": pa.string_view(),
             "dictionary": pa.dictionary(pa.int32(), pa.string()), "binary": pa.binary()}
    for kind, type_ in kinds.items():
        table = pa.table({"text": pa.array(values, pa.string()).cast(type_) if kind != "string_view" else pa.array(values, type_),
                          "n": [1, 2, 3, 4]})
        for name, write in WRITERS.items():
            if name == "data.feather" and kind == "string_view":
                continue
            write(table, folder / name)
            _, error = neardup("dedup", folder / name, "-o", folder / "kept", "--force", code=1)
            check("1 removed" in error or "removed 1" in error or "1 record" in error, f"{kind} in {name}: {error}")
            kept = read(folder / f"kept/kept.{name.split('.')[1]}")
            check(kept.column("n").to_pylist() == [1, 3], f"{kind} in {name} keeps {kept.column('n')}")
            check(kept.schema.field("text").type == read(folder / name).schema.field("text").type, f"{kind} in {name} stays so")


def lists_of_integers_are_sets(folder):
    sets = [[1, 2, 3, 4, 5], [9, 8], [1, 2, 3, 4, 5], []]
    for type_ in (pa.list_(pa.int64()), pa.large_list(pa.uint32()), pa.list_(pa.int16())):
        pq.write_table(pa.table({"ids": pa.array(sets, type_)}), folder / "s.parquet")
        got, _ = neardup("pairs", "s.parquet", "--text", "ids", "--quiet", folder=folder)
        check(got == b"left\tright\tscore\ns.parquet:1\ts.parquet:3\t1.000000\n", got)


def everything_about_a_parquet_file_is_kept(folder):
    table = TABLE.append_column("tags", pa.array([[str(i), "x"] for i in range(400)])) \
        .append_column("when", pa.array(range(400), pa.timestamp("ms", "UTC"))) \
        .append_column("price", pa.array([None] * 400, pa.decimal128(9, 2))) \
        .append_column("blob", pa.array([b"\xff\x00"] * 400)) \
        .replace_schema_metadata({"origin": "here", "pandas": "{}"})
    pq.write_table(table, folder / "a.parquet", row_group_size=50, version="1.0", use_dictionary=["meta.lang"], compression={
        "id": "snappy", "text": "zstd", "year": "gzip", "meta.lang": "none", "meta.score": "brotli", "tags.list.element": "lz4",
        "when": "snappy", "price": "snappy", "blob": "zstd"}, write_statistics=["year"], write_page_index=True,
        column_encoding={"year": "DELTA_BINARY_PACKED"}, store_schema=True)
    neardup("dedup", folder / "a.parquet", "-o", folder / "kept.parquet", "--quiet")
    old, new = pq.ParquetFile(folder / "a.parquet"), pq.ParquetFile(folder / "kept.parquet")
    check(new.schema_arrow.equals(old.schema_arrow, check_metadata=True), f"the schema is\n{new.schema_arrow}")
    check(new.schema.equals(old.schema), f"the Parquet schema is\n{new.schema}\ninstead of\n{old.schema}")
    check(new.metadata.format_version == old.metadata.format_version, "the version of the format")
    check({k: v for k, v in new.metadata.metadata.items() if k != b"ARROW:schema"} ==
          {k: v for k, v in old.metadata.metadata.items() if k != b"ARROW:schema"}, "the key-value metadata")
    check(new.metadata.num_row_groups == -(-new.metadata.num_rows // 50), f"{new.metadata.num_row_groups} row groups")
    for column in range(old.metadata.num_columns):
        before, after = old.metadata.row_group(0).column(column), new.metadata.row_group(0).column(column)
        for what in ("path_in_schema", "compression", "encodings", "has_offset_index", "is_stats_set"):
            check(getattr(before, what) == getattr(after, what),
                  f"{before.path_in_schema}: {what} {getattr(after, what)} instead of {getattr(before, what)}")
    want = {row["id"] for row in read(folder / "kept.parquet").to_pylist()}
    check(read(folder / "kept.parquet").equals(table.filter(pa.array([i in want for i in table.column("id").to_pylist()]))), "the rows")
    bare = folder / "bare.parquet"
    pq.write_table(TABLE, bare, store_schema=False, use_compliant_nested_type=False)
    neardup("dedup", bare, "-o", folder / "kept-bare.parquet", "--quiet")
    check(pq.ParquetFile(folder / "kept-bare.parquet").schema.equals(pq.ParquetFile(bare).schema), "a schema of other writers")
    check(b"ARROW:schema" not in (pq.ParquetFile(folder / "kept-bare.parquet").metadata.metadata or {}), "and no Arrow schema")


def the_codec_of_arrow_files_is_kept(folder):
    for codec in (None, "lz4", "zstd"):
        for name, write in (("a.arrow", write_file), ("a.arrows", write_stream)):
            write(TABLE, folder / name, codec)
            neardup("dedup", folder / name, "-o", folder / "kept", "--force", "--quiet")
            kept = folder / f"kept/kept.{name.split('.')[1]}"
            write(read(kept), folder / "again", codec)
            ratio = kept.stat().st_size / (folder / "again").stat().st_size
            check(0.8 < ratio < 1.25, f"{name} with {codec}: {ratio:.2f} times the size it should have")
            with pa.OSFile(str(kept)) as file:
                batches = [b.num_rows for b in (pa.ipc.open_file(file).get_batch(i) for i in range(pa.ipc.open_file(file).num_record_batches))] \
                    if name == "a.arrow" else [b.num_rows for b in pa.ipc.open_stream(file)]
            check(len(batches) == 4 and max(batches) <= 100, f"{name}: record batches of {batches} rows")


def annotations_are_columns(folder):
    for name, write in WRITERS.items():
        write(TABLE, folder / name)
        neardup("dedup", folder / name, "--annotate", "-o", folder / f"all-{name}", "--quiet")
        got = read(folder / f"all-{name}")
        check(got.select(TABLE.column_names).equals(TABLE), f"{name}: all rows stay")
        write_jsonl(folder / "data.jsonl", ROWS)
        neardup("dedup", folder / "data.jsonl", "--annotate", "-o", folder / "all.jsonl", "--quiet", "--force")
        expected = [tuple(row[k] for k in ("neardup_cluster", "neardup_kept", "neardup_score")) for row in read_jsonl(folder / "all.jsonl")]
        check(list(zip(*(got.column(k).to_pylist() for k in ("neardup_cluster", "neardup_kept", "neardup_score")))) == expected,
              f"{name}: the columns that were added")
        _, error = neardup("dedup", folder / f"all-{name}", "--annotate", "-o", folder / "twice.parquet" if "parquet" in name else folder / "twice.jsonl", code=2)
        check("neardup_cluster already" in error, error)


def removed_rows_can_be_saved(folder):
    pq.write_table(TABLE, folder / "a.parquet")
    neardup("dedup", folder / "a.parquet", "-o", folder / "out", "--save-removed", "--quiet")
    kept, removed = kept_ids(folder / "out/kept.parquet"), kept_ids(folder / "out/removed-records.parquet")
    check(sorted(kept + removed) == sorted(row["id"] for row in ROWS) and removed, "kept and removed rows are all rows")


def partitioned_folders(folder):
    rows = [{**row, "lang": row["meta"]["lang"]} for row in ROWS]
    for lang in ("de", "en"):
        for part in range(2):
            path = folder / f"lake/lang={lang}/part-{part}.parquet"
            path.parent.mkdir(parents=True, exist_ok=True)
            mine = [{k: v for k, v in row.items() if k != "lang"} for row in rows if row["lang"] == lang]
            pq.write_table(pa.Table.from_pylist(mine[part::2]), path)
    ordered = [row for lang in ("de", "en") for part in range(2) for row in [r for r in rows if r["lang"] == lang][part::2]]
    write_jsonl(folder / "all.jsonl", ordered)
    for options in ([], ["--keep", "prefer:lang=en"]):
        neardup("dedup", folder / "lake", "-o", folder / "out", "--force", "--quiet", *options)
        neardup("dedup", folder / "all.jsonl", "-o", folder / "one", "--force", "--quiet", *options)
        kept = sorted(i for path in (folder / "out/kept").rglob("*.parquet") for i in kept_ids(path))
        check(kept == sorted(row["id"] for row in read_jsonl(folder / "one/kept.jsonl")), f"kept rows of a lake with {options}")
        check((folder / "out/kept/lang=de/part-0.parquet").is_file(), "paths stay")
    neardup("dedup", folder / "lake", "-o", folder / "one.parquet", "--quiet")
    check(len(kept_ids(folder / "one.parquet")) == len(kept), "several files fit into one")


def empty_files(folder):
    empty = TABLE.slice(0, 0)
    for name, write in WRITERS.items():
        write(empty, folder / name)
        neardup("dedup", folder / name, "-o", folder / f"kept-{name}", "--quiet")
        got = read(folder / f"kept-{name}")
        check(got.num_rows == 0 and got.schema.equals(TABLE.schema), f"{name}: an empty file with a schema")
    pq.ParquetWriter(folder / "none.parquet", TABLE.schema).close()
    neardup("dedup", folder / "none.parquet", "-o", folder / "kept-none.parquet", "--quiet")
    check(pq.ParquetFile(folder / "kept-none.parquet").metadata.num_row_groups == 0, "no row groups")


def mistakes_are_explained(folder):
    pq.write_table(TABLE, folder / "a.parquet")
    pq.write_table(pa.table({"text": ["a"], "other": [1]}), folder / "b.parquet")
    write_jsonl(folder / "c.jsonl", ROWS[:3])
    cases = [(["a.parquet", "--text", "txt"], "did you mean text"), (["a.parquet", "--id", "uid"], "uid"),
             (["a.parquet", "--text", "meta"], "meta"), (["a.parquet", "-o", "k.csv"], "cannot be written as csv"),
             (["c.jsonl", "-o", "k.parquet"], "cannot be written as parquet"), (["a.parquet", "-o", "k.parquet.gz"], "leave out .gz"),
             (["a.parquet", "b.parquet", "-o", "k.parquet"], "columns differ"),
             (["a.parquet", "--on-bad-record", "quarantine", "-o", "k"], "quarantine"), (["a.parquet", "--format", "jsonl"], "is a file of format parquet")]
    for arguments, said in cases:
        _, error = neardup("dedup", *arguments, code=2, folder=folder)
        check(said in error, f"{arguments}: {said!r} is not in {error!r}")
        check(not [p.name for p in folder.iterdir() if p.name[0] == "k" or ".k" in p.name], f"{arguments} leaves nothing")
    import gzip
    (folder / "a.parquet.gz").write_bytes(gzip.compress((folder / "a.parquet").read_bytes()))
    _, error = neardup("dedup", "a.parquet.gz", code=2, folder=folder)
    check("decompress it first" in error, error)
    (folder / "text.parquet").write_text("this is no Parquet file")
    _, error = neardup("dedup", "text.parquet", code=2, folder=folder)
    check("not a file of format parquet" in error, error)
    pq.write_table(pa.table({"text": ["a b"], "x": [float("nan")]}), folder / "nan.parquet")
    _, error = neardup("dedup", "nan.parquet", "-o", "nan.jsonl", code=2, folder=folder)
    check("NaN" in error and not (folder / "nan.jsonl").exists(), error)


def without_the_plugin_the_message_says_how_to_get_it(folder):
    import os
    import shutil
    from support import PROGRAM
    import support
    (folder / "bin").mkdir()
    shutil.copy(PROGRAM, folder / "bin/neardup")
    pq.write_table(TABLE, folder / "a.parquet")
    mine = support.PROGRAM
    support.PROGRAM = str(folder / "bin/neardup")
    _, error = neardup("dedup", folder / "a.parquet", code=2)
    check("libneardup-arrow.so" in error and "apt install ./neardup-arrow" in error, error)
    write_jsonl(folder / "mixed.jsonl", ROWS)
    _, error = neardup("dedup", folder, "--exclude", "bin", "--threshold", "0.5")
    check("1 binary file skipped" in error, error)
    _, _ = neardup("dedup", folder / "a.parquet", environment={"NEARDUP_PLUGINS": os.path.dirname(mine)})
    support.PROGRAM = mine


def archives_and_streams(folder):
    import subprocess
    import zipfile
    from support import PROGRAM
    pq.write_table(TABLE, folder / "a.parquet")
    with zipfile.ZipFile(folder / "z.zip", "w") as archive:
        archive.write(folder / "a.parquet", "inner/a.parquet")
    neardup("dedup", folder / "z.zip", "-o", folder / "out", "--quiet")
    neardup("dedup", folder / "a.parquet", "-o", folder / "kept.parquet", "--quiet")
    check(kept_ids(folder / "out/kept/z.zip/inner/a.parquet") == kept_ids(folder / "kept.parquet"), "a member of a zip")
    with open(folder / "a.parquet", "rb") as file:
        done = subprocess.run([PROGRAM, "dedup", "-", "-o", "-", "--quiet"], stdin=file, capture_output=True, check=False)
    check(done.stdout == (folder / "kept.parquet").read_bytes(), f"standard input to standard output: {done.stderr}")


main(every_format_keeps_what_json_lines_keep, lists_are_those_of_json_lines, every_verb_reads_them, rows_without_ids_go_by_their_numbers,
     types_of_text, lists_of_integers_are_sets, everything_about_a_parquet_file_is_kept, the_codec_of_arrow_files_is_kept,
     annotations_are_columns, removed_rows_can_be_saved, partitioned_folders, empty_files, mistakes_are_explained,
     without_the_plugin_the_message_says_how_to_get_it, archives_and_streams)
