"""One measured job in a process of its own: prints seconds, CPU seconds of all threads, and what came out, as JSON.

Usage: job.py NAME ARGUMENTS...     run.py says what each job is for
"""

import json
import os
import re
import signal
import sys
import threading
import time

WORD = re.compile(r"[^\W_]+")


def texts_of(path, count=None):
    texts = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if count is not None and len(texts) == int(count):
                break
            texts.append(json.loads(line)["text"])
    return texts


def warm_up():
    """Import what a first call imports, such as NumPy: once per process, whatever the data."""
    import neardup

    return len(neardup.deduplicate(["a text"]).kept_rows)


def timed(work):
    cpu, start = time.process_time(), time.perf_counter()
    found = work()
    return {"seconds": time.perf_counter() - start, "cpu": time.process_time() - cpu, **found}


def arrow(path):
    import neardup
    import pyarrow as pa

    table = pa.table({"text": texts_of(path)})
    warm_up()
    return timed(lambda: {"kept": len(neardup.deduplicate(table).kept_rows)})


def listed(path, count=None):
    import neardup

    texts = texts_of(path, count)
    warm_up()
    return timed(lambda: {"kept": len(neardup.deduplicate(texts).kept_rows)})


def gaoya(path, count):
    from gaoya.minhash import MinHashStringIndex

    texts = texts_of(path, count)

    def work():
        index = MinHashStringIndex(
            hash_size=32,
            jaccard_threshold=0.8,
            num_bands=20,
            band_size=5,
            analyzer="word",
            lowercase=True,
            ngram_range=(5, 5),
            id_container="smallvec",
        )
        index.par_bulk_insert_docs(list(range(len(texts))), texts)
        found = index.par_bulk_query(texts)
        return {"kept": sum(1 for row, others in enumerate(found) if not any(other < row for other in others))}

    return timed(work)


def word_grams(text, length=5):
    words = WORD.findall(text.lower())
    if len(words) <= length:
        return [" ".join(words)] if words else []
    return [" ".join(words[at : at + length]) for at in range(len(words) - length + 1)]


def rensa(path, count):
    from rensa import RMinHashDeduplicator

    texts = texts_of(path, count)

    def work():
        dedup = RMinHashDeduplicator(threshold=0.8, num_perm=128, use_lsh=True)
        return {"kept": sum(dedup.add_pairs((str(row), word_grams(text)) for row, text in enumerate(texts)))}

    return timed(work)


def datasketch(path, count):
    from datasketch import MinHash, MinHashLSH

    texts = texts_of(path, count)

    def work():
        lsh, kept = MinHashLSH(threshold=0.8, num_perm=128), 0
        sets = ([gram.encode() for gram in set(word_grams(text))] for text in texts)
        for row, sketch in enumerate(MinHash.generator(sets, num_perm=128)):
            if not lsh.query(sketch):
                lsh.insert(row, sketch)
                kept += 1
        return {"kept": kept}

    return timed(work)


def fingerprints(base, queries):
    """Random fingerprints, a tenth of which have a neighbour; half of the queries are at most three bits from one."""
    import numpy as np

    rng = np.random.default_rng(7)
    codes = rng.integers(0, 2**64, int(base), dtype=np.uint64)
    asked = rng.integers(0, 2**64, int(queries), dtype=np.uint64)
    near = codes[rng.integers(0, len(codes), len(asked) // 2)]
    for _ in range(3):
        near ^= np.uint64(1) << rng.integers(0, 64, len(near), dtype=np.uint64)
    asked[: len(near)] = near
    return codes, asked


def hamming(base, queries):
    import neardup

    codes, asked = fingerprints(base, queries)
    index = neardup.HammingIndex(codes, distance=3)
    return timed(lambda: {"matches": len(index.search(asked, 3, threads=1).row)}) | {"bytes": index.nbytes}


def with_faiss(base, queries):
    import faiss
    import numpy as np

    codes, asked = fingerprints(base, queries)
    faiss.omp_set_num_threads(1)
    index = faiss.IndexBinaryMultiHash(64, 2, 32)
    index.nflip = 1
    index.add(codes.view(np.uint8).reshape(-1, 8))
    queries = asked.view(np.uint8).reshape(-1, 8)
    return timed(lambda: {"matches": len(index.range_search(queries, 4)[2])})  # its radius is strict


def interrupt():
    import neardup

    base = " ".join(f"w{number}" for number in range(300))
    texts = [f"{base} x{number}" for number in range(30_000)]
    sent = []

    def press():
        time.sleep(2)
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press, daemon=True).start()
    try:
        neardup.pairs(texts, threshold=0.5)
    except KeyboardInterrupt:
        return {"seconds": time.perf_counter() - sent[0]}
    raise SystemExit("the call ended before it was interrupted")


def imported():
    def work():
        import neardup  # noqa: F401

        return {}

    return timed(work)


JOBS = {
    "arrow": arrow,
    "list": listed,
    "gaoya": gaoya,
    "rensa": rensa,
    "datasketch": datasketch,
    "hamming": hamming,
    "faiss": with_faiss,
    "interrupt": interrupt,
    "import": imported,
}

print(json.dumps(JOBS[sys.argv[1]](*sys.argv[2:])))
