#!/usr/bin/env python3
"""Web archives and Parquet beside JSON lines, and a stream much larger than memory.

Usage: bench/formats.py                                  200 MB in every format, 10 GB as a stream
       bench/formats.py --scale small --check            20 MB, and a stream of 1 GB; exit 1 when an answer is wrong

The same documents as JSON lines, as WET and as pages in WARC, plain and gz: bytes of the decoded file per second of CPU
time, and how that compares with JSON lines under the same codec. The same texts as Parquet (plain, snappy, zstd), read to features once: bytes
of text per second of CPU time; skipped without the Arrow plugin (make arrow). The stream is generated while it is read; its peak
memory must stay below --memory whatever its length.
"""
import argparse
import gzip
import html
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile

import corpus
import jobs

MEGABYTES = {"small": 20, "full": 200}
STREAM_GIGABYTES = {"small": 1, "full": 10}
STREAM_MEMORY = 384  # megabytes
WET_BAR, WARC_BAR, PARQUET_BAR = 0.8, 0.4, 0.9

PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<link rel="stylesheet" href="/static/site.css"><script>window.settings = {{"page": "{title}", "ads": true}};</script>
<style>.nav {{ display: flex }} .nav a:hover {{ color: #336 }}</style></head>
<body class="article"><div class="nav"><ul><li><a href="/">Home</a></li><li><a href="/news">News</a></li></ul></div>
<main><h1>{title}</h1>
{body}
</main><footer><p>&copy; 2026 <a href="/about" class="small">About us</a></p></footer></body></html>
"""


def documents(path, most_bytes):
    size = 0
    with open(path, encoding="utf-8") as file:
        for line in file:
            if size >= most_bytes:
                return
            size += len(line)
            record = json.loads(line)
            yield record["id"], record["text"]


def as_jsonl(name, text):
    return (json.dumps({"id": name, "text": text}, ensure_ascii=False) + "\n").encode()


def as_warc_record(kind, name, content_type, block):
    head = (f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: http://example.org/{name}\r\n"
            f"WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:{name}>\r\nContent-Type: {content_type}\r\n"
            f"Content-Length: {len(block)}\r\n\r\n")
    return head.encode() + block + b"\r\n\r\n"


def as_wet(name, text):
    return as_warc_record("conversion", name, "text/plain", text.encode())


def as_warc(name, text):
    words = text.split(" ")
    paragraphs = [" ".join(words[i:i + 60]) for i in range(0, len(words), 60)]
    body = "\n".join(f'<p class="text">{html.escape(p, quote=False)} <a href="/more/{i}">more</a></p>'
                     for i, p in enumerate(paragraphs))
    page = PAGE.format(title=f"Page {name}", body=body).encode()
    answer = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(page)}\r\n\r\n".encode()
    return as_warc_record("response", name, "application/http; msgtype=response", answer + page)


FORMATS = {"jsonl": (as_jsonl, ".jsonl"), "wet": (as_wet, ".warc.wet"), "warc": (as_warc, ".warc")}


def make(folder, source, most_bytes):
    """Writes every format plain and gz (a member a record, as archives are); {(format, codec): (path, decoded bytes)}."""
    made = {}
    for name, (write, extension) in FORMATS.items():
        plain, packed = os.path.join(folder, f"data{extension}"), os.path.join(folder, f"data{extension}.gz")
        size = 0
        with open(plain, "wb") as file, open(packed, "wb") as gz:
            waiting = b""
            for key, text in documents(source, most_bytes):
                record = write(key, text)
                file.write(record)
                size += len(record)
                waiting += record
                # JSON lines are one stream as a rule: members of a megabyte are as good as one.
                if name != "jsonl" or len(waiting) > 1 << 20:
                    gz.write(gzip.compress(waiting, 6))
                    waiting = b""
            gz.write(gzip.compress(waiting, 6))
        made[name, "plain"], made[name, "gz"] = (plain, size), (packed, size)
    return made


def compare_formats(options, folder, failures):
    path, _ = corpus.make(options.scale, options.data or None, os.path.abspath(options.cache))
    made = make(folder, path + ".jsonl", MEGABYTES[options.scale] << 20)
    runs = {key: [] for key in made}
    kept = {}
    for _ in range(options.repeat):
        for key, (file, size) in made.items():
            out = os.path.join(folder, "out")
            run = jobs.measure([options.neardup, "dedup", file, "--threads", "1", "--quiet", "-o", out], folder, 1)
            runs[key].append(size / run["cpu_seconds"] / 1e6)
            with open(os.path.join(out, "run.json")) as record:
                kept[key] = json.load(record)["kept"]
            shutil.rmtree(out)
    print(f"{'format':8} {'codec':6} {'MB/s of CPU':>12} {'x JSONL':>8} {'kept':>9}")
    for (name, codec) in made:
        speed = statistics.median(runs[name, codec])
        ratio = speed / statistics.median(runs["jsonl", codec])
        print(f"{name:8} {codec:6} {speed:12.0f} {ratio:8.2f} {kept[name, codec]:9,}")
    for codec in ("plain", "gz"):
        if kept["wet", codec] != kept["jsonl", codec]:
            failures.append(f"WET ({codec}) keeps {kept['wet', codec]}, JSON lines {kept['jsonl', codec]}")
    print(f"bars: WET {WET_BAR}x, WARC {WARC_BAR}x")


def compare_columns(options, folder, failures):
    """Texts to fingerprints, which reads once: JSON lines beside Parquet and Arrow files of the same documents.

    Each beside JSON lines under the same codec; for snappy, which they do not have, beside plain ones.
    """
    sys.path.insert(0, os.path.join(corpus.ROOT, "build", "arrow"))
    try:
        import pyarrow as pa
        import pyarrow.feather
        import pyarrow.parquet as pq
    except ImportError:
        print("Parquet: skipped, there is no pyarrow (make arrow)")
        return
    path, _ = corpus.make(options.scale, options.data or None, os.path.abspath(options.cache))
    rows = [{"id": str(key), "text": text} for key, text in documents(path + ".jsonl", MEGABYTES[options.scale] << 20)]
    size = sum(len(row["text"].encode()) for row in rows)
    files = {name: os.path.join(folder, file) for name, file in
             (("jsonl", "rows.jsonl"), ("parquet none", "none.parquet"), ("parquet snappy", "snappy.parquet"), ("arrow", "rows.arrow"),
              ("jsonl zstd", "rows.jsonl.zst"), ("parquet zstd", "zstd.parquet"))}
    with open(files["jsonl"], "wb") as file:
        file.writelines(as_jsonl(row["id"], row["text"]) for row in rows)
    with open(files["jsonl"], "rb") as plain, pa.output_stream(files["jsonl zstd"], compression="zstd") as packed:
        shutil.copyfileobj(plain, packed)
    table = pa.Table.from_pylist(rows)
    for codec in ("none", "snappy", "zstd"):
        pq.write_table(table, files[f"parquet {codec}"], compression=codec, row_group_size=20_000)
    pa.feather.write_feather(table, files["arrow"], compression="uncompressed")
    runs = {name: [] for name in files}
    answers = {}
    for _ in range(options.repeat):
        for name, file in files.items():
            out = os.path.join(folder, "out.hex")
            run = jobs.measure([options.neardup, "fingerprint", file, "--threads", "1", "--quiet", "-o", out], folder, 1)
            runs[name].append(size / run["cpu_seconds"] / 1e6)
            with open(out, "rb") as written:
                answers[name] = written.read()
            os.remove(out)
    print(f"{'format':16} {'MB/s of text':>12} {'x JSONL':>8}")
    for name, speeds in runs.items():
        beside = runs["jsonl zstd" if name.endswith("zstd") else "jsonl"]
        print(f"{name:16} {statistics.median(speeds):12.0f} {statistics.median(speeds) / statistics.median(beside):8.2f}")
        if answers[name] != answers["jsonl"]:
            failures.append(f"{name} has other fingerprints than JSON lines")
    print(f"bar: Parquet {PARQUET_BAR}x")


def stream(options, folder, failures):
    """A generated stream through standard input: documents of 8 KB, a tenth of them copies of an earlier one."""
    gigabytes = options.gigabytes or STREAM_GIGABYTES[options.scale]
    rng = random.Random(1)
    letters = bytes(b"etaoinshrdlu    "[i % 16] for i in range(256))  # random bytes become words of a few letters
    command = [options.neardup, "dedup", "-", "--format", "jsonl", "--memory", f"{STREAM_MEMORY}M", "--quiet", "--temp",
               folder, "-o", os.path.join(folder, "kept.jsonl.zst"), "--json"]
    run = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    written = number = copies = 0
    text = b""
    while written < gigabytes << 30:
        block = []
        for _ in range(256):
            if number % 10 == 9:
                copies += 1
            else:
                text = rng.randbytes(8_000).translate(letters)
            block.append(b'{"id":%d,"text":"%s"}\n' % (number, text))
            number += 1
        data = b"".join(block)
        run.stdin.write(data)
        written += len(data)
    run.stdin.close()
    report = json.loads(run.stdout.read())
    if run.wait() != 0:
        failures.append("the stream ended with an error")
    peak = report["peak_memory_bytes"] / (1 << 20)
    print(f"stream: {written / (1 << 30):.1f} GiB, {number:,} documents, {report['removed']:,} removed in "
          f"{report['seconds']:.0f} s, peak {peak:.0f} MiB of {STREAM_MEMORY} allowed")
    if peak > STREAM_MEMORY:
        failures.append(f"the stream took {peak:.0f} MiB")
    if report["removed"] < copies:
        failures.append(f"the stream had {copies:,} copies, {report['removed']:,} were removed")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", choices=list(MEGABYTES), default="full")
    parser.add_argument("--repeat", type=int, default=3, help="timed runs of each format (default: %(default)s)")
    parser.add_argument("--gigabytes", type=int, help="length of the stream")
    parser.add_argument("--only", choices=["formats", "columns", "stream"])
    parser.add_argument("--check", action="store_true", help="exit 1 when an answer is wrong; one run of each")
    parser.add_argument("--data", default=corpus.default_data(), help="real collections (default: %(default)s)")
    parser.add_argument("--build", default=os.path.join(corpus.ROOT, "build", "release"), help="where the programs are")
    parser.add_argument("--cache", default=os.path.join(corpus.ROOT, "build", "bench"), help="corpora")
    options = parser.parse_args()
    options.neardup = os.path.join(options.build, "neardup")
    if options.check:
        options.repeat = 1
    failures = []
    os.makedirs(options.cache, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=options.cache) as folder:
        for name, measure in (("formats", compare_formats), ("columns", compare_columns), ("stream", stream)):
            if options.only in (None, name):
                measure(options, folder, failures)
    for failure in failures:
        print("wrong: " + failure)
    sys.exit(1 if options.check and failures else 0)


if __name__ == "__main__":
    main()
