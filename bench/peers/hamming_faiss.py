"""FAISS's IndexBinaryMultiHash, two tables of 32 bits, one flip each: its best for distance 3.

Usage: hamming_faiss.py FOLDER BASE QUERIES"""

import json
import sys
import time

import faiss
import numpy

folder, base, queries = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
faiss.omp_set_num_threads(1)
codes = numpy.fromfile(f"{folder}/data/base60.bin", dtype=numpy.uint8, count=8 * base).reshape(-1, 8)
asked = numpy.fromfile(f"{folder}/data/q.bin", dtype=numpy.uint8, count=8 * queries).reshape(-1, 8)
index = faiss.IndexBinaryMultiHash(64, 2, 32)
index.nflip = 1
started = time.process_time()
index.add(codes)
build = time.process_time() - started
started = time.process_time()
limits, distances, rows = index.range_search(asked, 4)  # its radius is strict
seconds = time.process_time() - started
with open("/proc/self/status") as file:
    peak = next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) * 1024
print(json.dumps({"queries_per_second": queries / seconds, "build_per_second": base / build, "matches": len(rows),
                  "bytes_per_fingerprint": peak / base}))
