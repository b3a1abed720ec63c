#!/usr/bin/env python3
"""Files of an S3 server: moto's, on this machine's loopback. Inputs and outputs of every kind, and what goes wrong."""
import importlib.util
import os
import subprocess
import sys
import urllib.request

from support import SKIPPED, check, main, neardup, read_jsonl, texts, write_jsonl

import pyarrow as pa
import pyarrow.fs
import pyarrow.parquet as pq

if importlib.util.find_spec("moto") is None:
    print("moto is not installed (tools/setup.sh python)")
    sys.exit(SKIPPED)

SERVER = """
import sys
from moto.moto_server.threaded_moto_server import ThreadedMotoServer
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
print(server.get_host_and_port()[1], flush=True)
sys.stdin.read()
server.stop()
"""
ROWS = [{"id": f"r{i}", "text": text} for i, text in enumerate(texts(200))]
TABLE = pa.Table.from_pylist(ROWS)
process = subprocess.Popen([sys.executable, "-c", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
PORT = int(process.stdout.readline())
ENVIRONMENT = {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{PORT}", "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test",
               "AWS_DEFAULT_REGION": "us-east-1", "AWS_EC2_METADATA_DISABLED": "true"}
os.environ.update(ENVIRONMENT)
S3 = pa.fs.S3FileSystem(endpoint_override=f"127.0.0.1:{PORT}", scheme="http", access_key="test", secret_key="test", region="us-east-1",
                        allow_bucket_creation=True, allow_bucket_deletion=True)
S3.create_dir("lake")


def put(path, data):
    with S3.open_output_stream(path, compression=None) as out:
        out.write(data)


def get(path):
    with S3.open_input_stream(path, compression=None) as file:
        return file.read()


def names(folder):
    return sorted(info.path for info in S3.get_file_info(pa.fs.FileSelector(folder, recursive=True, allow_not_found=True)) if info.is_file)


def local_answer(folder):
    pq.write_table(TABLE, folder / "a.parquet", row_group_size=64)
    write_jsonl(folder / "a.jsonl", ROWS)
    neardup("dedup", folder / "a.jsonl", "-o", folder / "local.jsonl", "--quiet")
    return read_jsonl(folder / "local.jsonl")


def parquet_in_and_out(folder):
    expected = local_answer(folder)
    put("lake/in/a.parquet", (folder / "a.parquet").read_bytes())
    neardup("dedup", "s3://lake/in/a.parquet", "-o", "s3://lake/out/kept.parquet", "--quiet")
    check(pq.read_table("lake/out/kept.parquet", filesystem=S3).to_pylist() == expected, "kept rows on S3")
    neardup("dedup", "s3://lake/in/a.parquet", "-o", folder / "kept.parquet", "--quiet")
    check(pq.read_table(folder / "kept.parquet").to_pylist() == expected, "kept rows here")
    _, error = neardup("dedup", "s3://lake/in/a.parquet", "-o", "s3://lake/out/kept.parquet", "--quiet", code=2)
    check("exists already" in error, error)
    neardup("dedup", "s3://lake/in/a.parquet", "-o", "s3://lake/out/kept.parquet", "--force", "--quiet")


def folders_in_and_out(folder):
    expected = local_answer(folder)
    for i in range(2):
        pq.write_table(TABLE.slice(100 * i, 100), folder / "part.parquet")
        put(f"lake/many/lang=en/part-{i}.parquet", (folder / "part.parquet").read_bytes())
    neardup("dedup", "s3://lake/many", "-o", "s3://lake/result", "--quiet")
    kept = [row for i in range(2) for row in pq.read_table(f"lake/result/kept/lang=en/part-{i}.parquet", filesystem=S3, partitioning=None).to_pylist()]
    check(kept == expected, "kept rows of a folder")
    check({"lake/result/run.json", "lake/result/removed.jsonl", "lake/result/clusters.tsv"} <= set(names("lake/result")), names("lake/result"))
    _, error = neardup("dedup", "s3://lake/many", "-o", "s3://lake/result", "--force", "--quiet", code=2)
    check("remote folder" in error, error)


def json_lines_and_codecs(folder):
    import gzip
    expected = local_answer(folder)
    put("lake/j/a.jsonl.gz", gzip.compress((folder / "a.jsonl").read_bytes()))
    neardup("dedup", "s3://lake/j/a.jsonl.gz", "-o", "s3://lake/j-out.jsonl.gz", "--quiet")
    check(gzip.decompress(get("lake/j-out.jsonl.gz")) == (folder / "local.jsonl").read_bytes(), "JSON lines on S3")
    neardup("dedup", "s3://lake/j/*.gz", "-o", folder / "globbed", "--quiet")
    check(sum(1 for path in (folder / "globbed").rglob("*.gz")) == 1, "globs on S3")
    check(expected, "there are rows")


def mistakes_are_explained(folder):
    local_answer(folder)
    _, error = neardup("dedup", "s3://lake/in/none.parquet", code=2)
    check("no such file or folder: s3://lake/in/none.parquet" in error, error)
    _, error = neardup("dedup", "s3://no-such-bucket/a.parquet", code=2)
    check("no-such-bucket" in error, error)
    put("lake/bad/a.parquet", (folder / "a.parquet").read_bytes()[:-20])
    _, error = neardup("dedup", "s3://lake/bad/a.parquet", "-o", "s3://lake/bad-out.parquet", code=2)
    check("s3://lake/bad/a.parquet" in error and "lake/bad-out.parquet" not in names("lake"), error)
    before = get("lake/out/kept.parquet")
    _, _ = neardup("dedup", "s3://lake/bad/a.parquet", "-o", "s3://lake/out/kept.parquet", "--force", code=2)
    check(get("lake/out/kept.parquet") == before, "a run that fails replaces nothing")
    _, error = neardup("dedup", folder / "a.jsonl", "-o", "s3://lake/r.jsonl", "--resume", code=2)
    check("remote" in error, error)


try:
    urllib.request.urlopen(ENVIRONMENT["AWS_ENDPOINT_URL"] + "/moto-api/", timeout=60).read()
    main(parquet_in_and_out, folders_in_and_out, json_lines_and_codecs, mistakes_are_explained)
finally:
    process.stdin.close()
    process.wait()
