#!/usr/bin/env python3
"""Damaged Parquet and Arrow files: never a crash, never half an output, and a message that says where.

Every region of a file is cut off and changed. What a run then says is its business, as long as it says it: exit code 0 (what
was hit did not matter), 1 (some rows could not be read) or 2 (nothing is written).
"""
import os
import random
import subprocess

from support import PROGRAM, check, main, neardup, texts

import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet as pq

TABLE = pa.table({"id": [f"r{i}" for i in range(60)], "text": texts(60), "tags": [["a", str(i)] for i in range(60)],
                  "kind": pa.array(["x", "y"] * 30).dictionary_encode()})


def write_ipc(path, new, codec):
    with pa.OSFile(str(path), "wb") as file, new(file, TABLE.schema, options=pa.ipc.IpcWriteOptions(compression=codec)) as writer:
        writer.write_table(TABLE, max_chunksize=20)


FILES = {
    "snappy.parquet": lambda path: pq.write_table(TABLE, path, row_group_size=20, data_page_size=512),
    "plain.parquet": lambda path: pq.write_table(TABLE, path, row_group_size=20, compression="none", use_dictionary=False),
    "a.arrow": lambda path: write_ipc(path, pa.ipc.new_file, None),
    "zstd.arrow": lambda path: write_ipc(path, pa.ipc.new_file, "zstd"),
    "a.arrows": lambda path: write_ipc(path, pa.ipc.new_stream, None),
}


def try_bytes(folder, name, data, what):
    path = folder / name
    path.write_bytes(data)
    for output in ("kept." + name.split(".")[1], "kept.jsonl"):
        out = folder / output
        done = subprocess.run([PROGRAM, "dedup", str(path), "-o", str(out), "--quiet", "--memory", "256M", "--threads", "1"],
                              capture_output=True, check=False)
        error = done.stderr.decode(errors="replace")
        check(done.returncode in (0, 1, 2), f"{what}: exit code {done.returncode}: {error[-500:]}")
        check("internal" not in error.lower() and (error or done.returncode != 2), f"{what}: it says {error!r}")
        check(out.exists() == (done.returncode != 2), f"{what}: exit code {done.returncode}, and the output is there: {out.exists()}")
        left = [p.name for p in folder.iterdir() if p.name not in (name, output)]
        check(not left, f"{what} leaves {left}")
        if out.exists():
            out.unlink()
    path.unlink()


def files_that_are_cut_off(folder):
    for name, write in FILES.items():
        write(folder / name)
        whole = (folder / name).read_bytes()
        places = sorted({*range(0, 16), *range(0, len(whole), max(1, len(whole) // 25)), *range(len(whole) - 16, len(whole))})
        for place in places if os.environ.get("NEARDUP_LONG_TESTS") else places[::3]:
            try_bytes(folder, name, whole[:place], f"{name} cut off at {place} of {len(whole)}")


def files_with_changed_bytes(folder):
    rng = random.Random(7)
    for name, write in FILES.items():
        write(folder / name)
        whole = (folder / name).read_bytes()
        rounds = 400 if os.environ.get("NEARDUP_LONG_TESTS") else 25
        for i in range(rounds):
            data = bytearray(whole)
            region = len(whole) * i // rounds
            for _ in range(rng.choice((1, 1, 4))):
                data[min(len(whole) - 1, region + rng.randrange(max(1, len(whole) // rounds)))] = rng.randrange(256)
            try_bytes(folder, name, bytes(data), f"{name} changed near {region} of {len(whole)} (round {i})")


def a_damaged_row_group_is_one_bad_record(folder):
    path = folder / "a.parquet"
    pq.write_table(TABLE, path, row_group_size=20, compression="snappy", use_dictionary=False)
    chunk = pq.ParquetFile(path).metadata.row_group(1).column(1)
    data = bytearray(path.read_bytes())
    at = chunk.data_page_offset
    data[at:at + 40] = b"\xff" * 40
    path.write_bytes(bytes(data))
    _, error = neardup("dedup", path, "-o", folder / "out", code=1)
    check("row group 2 (rows 21 to 40)" in error, error)
    kept = pq.read_table(folder / "out/kept.parquet").column("id").to_pylist()
    check(set(kept) <= {f"r{i}" for i in [*range(20), *range(40, 60)]} and any(int(i[1:]) >= 40 for i in kept), kept)
    _, error = neardup("dedup", path, "-o", folder / "strict", "--on-bad-record", "fail", code=2)
    check(not (folder / "strict").exists(), "nothing is written")


def damage_in_a_column_that_is_only_copied(folder):
    path = folder / "a.parquet"
    pq.write_table(TABLE, path, row_group_size=20, compression="snappy", use_dictionary=False)
    chunk = pq.ParquetFile(path).metadata.row_group(2).column(2)
    data = bytearray(path.read_bytes())
    data[chunk.data_page_offset:chunk.data_page_offset + 30] = b"\xff" * 30
    path.write_bytes(bytes(data))
    _, error = neardup("dedup", path, "-o", folder / "kept.parquet", code=2)
    check("row group 3 (rows 41 to 60)" in error and not (folder / "kept.parquet").exists(), error)
    check([p.name for p in folder.iterdir()] == ["a.parquet"], "nothing else is left")


def a_damaged_file_among_others_is_a_bad_record(folder):
    (folder / "in").mkdir()
    pq.write_table(TABLE, folder / "in/a.parquet")
    whole = (folder / "in/a.parquet").read_bytes()
    (folder / "in/b.parquet").write_bytes(whole[:len(whole) // 2])
    _, error = neardup("dedup", folder / "in", "-o", folder / "out", code=1)
    check("b.parquet" in error and (folder / "out/kept/a.parquet").is_file(), error)
    _, error = neardup("dedup", folder / "in/b.parquet", "-o", folder / "no.parquet", code=2)
    check("b.parquet" in error and not (folder / "no.parquet").exists(), error)


def encrypted_files_are_refused(folder):
    try:
        import pyarrow.parquet.encryption as pe
    except ImportError:
        return
    class Client(pe.KmsClient):
        def wrap_key(self, key_bytes, master_key_identifier):
            return key_bytes.hex()
        def unwrap_key(self, wrapped_key, master_key_identifier):
            return bytes.fromhex(wrapped_key)
    for plaintext in (False, True):
        factory = pe.CryptoFactory(lambda _: Client())
        properties = factory.file_encryption_properties(pe.KmsConnectionConfig(), pe.EncryptionConfiguration(
            footer_key="k", column_keys={"c": ["text"]}, plaintext_footer=plaintext))
        with pq.ParquetWriter(folder / "e.parquet", TABLE.schema, encryption_properties=properties) as writer:
            writer.write_table(TABLE)
        _, error = neardup("dedup", folder / "e.parquet", "-o", folder / "kept.parquet", code=2)
        check("encrypted" in error and not (folder / "kept.parquet").exists(), error)


main(files_that_are_cut_off, files_with_changed_bytes, a_damaged_row_group_is_one_bad_record, damage_in_a_column_that_is_only_copied,
     a_damaged_file_among_others_is_a_bad_record, encrypted_files_are_refused)
