#!/usr/bin/env python3
"""neardup beside its peers on one corpus: seconds, MB/s, ratio, peak memory, kept documents, recall and precision.

Usage: bench/run.py                                       everything, 1 GB; about an hour on two cores
       bench/run.py --scale small --no-peers --check      the answers alone; exit 1 when one is wrong
       bench/run.py --only neardup-exact,gaoya --repeat 5 some rows
       bench/run.py --only joins                          `neardup pairs`: its algorithms, prototypes and peers
       bench/run.py --only hamming                        Hamming search: its indexes, prototypes and FAISS; 60M
bench/README.md says what each row and column means.
"""
import argparse
import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

import bars
import corpus
import hamming_search
import jobs as job_table
import joins
import quality
import report

ROOT = corpus.ROOT
EXACT_MEMORY, MINHASH_MEMORY = 512, 384  # megabytes
GROWTH_DOCUMENTS = [100_000, 200_000, 400_000, 800_000, 1_000_000]
READ_BYTES = 100_000_000
READ_SECONDS = {"small": "0.5", "full": "5"}
KERNELS = ["portable", "avx2", "avx512"]
EXTRA_ROWS = ["growth", "read"]
# Rows that must keep what another keeps, and so need no judgement of their own.
SAME_KEPT = {"neardup-exact-1-thread": "neardup-exact", "neardup-exact-memory": "neardup-exact",
             "neardup-exact-avx2": "neardup-exact",
             "neardup-minhash-1-thread": "neardup-minhash", "neardup-minhash-memory": "neardup-minhash"}


def say(text):
    print(f"[{time.strftime('%H:%M:%S')}] {text}", file=sys.stderr, flush=True)


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", choices=["small", "full"], default="full", help="20 MB, or 1 GB (the default)")
    parser.add_argument("--repeat", type=int, default=3, help="timed runs of each row (default: %(default)s)")
    parser.add_argument("--only", help="rows to run, comma-separated")
    parser.add_argument("--no-peers", action="store_true", help="neardup alone; needs no package index")
    parser.add_argument("--peers-only", action="store_true", help="the peers alone; needs no build of neardup")
    parser.add_argument("--no-quality", action="store_true", help="times only: no recall, no precision")
    parser.add_argument("--check", action="store_true", help="exit 1 when an answer is wrong; one run of each row")
    parser.add_argument("--json", metavar="FILE", help="also write every figure to FILE")
    parser.add_argument("--data", default=corpus.default_data(), help="real collections (default: %(default)s)")
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"), help="where the programs are")
    parser.add_argument("--cache", default=os.path.join(ROOT, "build", "bench"), help="corpora, truths, the peers")
    options = parser.parse_args()
    if options.check:
        options.repeat = 1
    if options.check and options.no_quality:
        parser.error("--check judges answers, and --no-quality skips them: drop one of them")
    options.only = options.only.split(",") if options.only else None
    return options


class Bench:
    def __init__(self, options):
        self.options = options
        self.cache = os.path.abspath(options.cache)
        self.neardup = os.path.join(options.build, "neardup")
        self.path, self.about = corpus.make(options.scale, options.data, self.cache, say=say)
        self.corpus = self.path + ".jsonl"
        self.out = tempfile.mkdtemp(prefix="out-", dir=self.cache)
        atexit.register(shutil.rmtree, self.out, ignore_errors=True)
        self.jobs, self.peers = self.choose()
        self.growth, self.read, self.checks = [], {}, []
        self.truth = None

    def program(self, name):
        path = os.path.join(self.options.build, "bench", name)
        if not os.path.exists(path):
            raise SystemExit(f"{path} is missing: cmake --preset release && cmake --build --preset release")
        return path

    def wanted(self, name):
        return self.options.only is None or name in self.options.only

    def choose(self):
        options, chosen, peers = self.options, [], None
        if not options.no_peers:
            python = job_table.peer_python(self.cache, say)
            peers = job_table.peer_versions(python)
            chosen += job_table.peer_jobs(python, self.corpus, self.about["documents"])
        if not options.peers_only:
            if not os.path.exists(self.neardup):
                raise SystemExit(f"{self.neardup} is missing: make build, or --build FOLDER")
            chosen += job_table.neardup_jobs(self.neardup, self.corpus, self.about["documents"], f"{EXACT_MEMORY}M",
                                             f"{MINHASH_MEMORY}M")
        known = [job.name for job in chosen] + EXTRA_ROWS + joins.ROWS + hamming_search.ROWS
        if unknown := set(options.only or []) - set(known):
            raise SystemExit(f"--only {','.join(sorted(unknown))}: the rows are {', '.join(known)}")
        return [job for job in chosen if self.wanted(job.name)], peers

    # ---- the runs -------------------------------------------------------------------------------------------------

    def time_all(self):
        with open(self.corpus, "rb") as file:  # so that no run pays for the disk
            while file.read(1 << 24):
                pass
        for repeat in range(self.options.repeat):
            for job in self.jobs:
                if repeat >= job.most_repeats:
                    continue
                kept = os.path.join(self.out, f"{job.name}.jsonl")
                job.runs.append(job_table.measure([*job.command, kept], self.out, job.threads, job.environment))
                say(f"{job.name}: {job.runs[-1]['seconds']:.2f} s")
                if job.kept is None:
                    job.kept = quality.read_kept(kept)
                os.remove(kept)

    def judge_all(self):
        self.truth = quality.Truth.make(self.program("exact_truth"), self.path)
        say(f"truth: {len(self.truth.scores):,} pairs of distinct sets")
        for job in self.jobs:
            truth = self.truth.prefix(job.limit) if job.limit else self.truth
            say(f"judging {job.name}")
            if job.name.startswith("neardup"):
                if job.name not in SAME_KEPT:
                    self.judge_neardup(job, truth)
            else:
                links = os.path.join(self.out, "links.tsv")
                kept = os.path.join(self.out, "kept.jsonl")
                job_table.measure([*job.command, "--links", links, kept], self.out, job.threads)
                job.quality = quality.judge(truth, quality.read_links(links), job.lists_pairs)
                os.remove(links)
                os.remove(kept)

    def judge_neardup(self, job, truth):
        """A run with a folder as output says which pairs were found; its answer must be that of the timed run."""
        folder = os.path.join(self.out, job.name)
        job_table.measure([*job.command, folder], self.out, job.threads)
        pairs = quality.read_pairs(os.path.join(folder, "pairs.tsv"))
        links = [(left, right) for left, right, _ in pairs]
        job.quality = quality.judge(truth, links)
        recall, precision = job.quality["recall"], job.quality["precision"]
        least = 1.0 if job.name.startswith("neardup-exact") else 0.9
        self.check(f"{job.name}: recall is at least {least}", recall >= least, f"{recall:.4f}")
        self.check(f"{job.name}: precision is 1", precision == 1, f"{precision:.6f}")
        wrong = quality.wrong_scores(truth, pairs)
        self.check(f"{job.name}: every score is exact", not wrong, f"{len(wrong)} are not, such as {wrong[:1]}")
        self.check(f"{job.name}: the kept documents follow from the pairs",
                   job.kept == quality.kept_rows(len(truth.first), links), f"{len(job.kept)} kept")
        self.check(f"{job.name}: a file and a folder get the same documents",
                   job.kept == quality.read_kept(os.path.join(folder, "kept.jsonl")), f"{len(job.kept)} kept")
        if job.name == "neardup-minhash-recall":
            with open(os.path.join(folder, "run.json")) as file:
                record = json.load(file)
            self.check_stated_recall(job, record["recall"])
        shutil.rmtree(folder)

    def check_stated_recall(self, job, stated):
        if not stated:
            return self.check(f"{job.name}: run.json states the recall", False, "it does not")
        job.quality["stated"] = stated
        true = job.quality["recall"]
        if self.about["documents"] <= 20_000:  # then the sample is everything
            self.check(f"{job.name}: the stated recall is the true one", abs(stated["value"] - true) < 1e-4,
                       f"stated {stated['value']:.6f}, true {true:.6f}")
        else:
            say(f"recall stated {stated['value']:.4f} ({stated['low']:.4f} to {stated['high']:.4f}), true {true:.4f}")

    def grow(self):
        path, about = corpus.make("growth", self.options.data, self.cache, say=say)
        kept = os.path.join(self.out, "growth.jsonl")
        times = {}
        for _ in range(self.options.repeat):
            for documents in GROWTH_DOCUMENTS:
                command = job_table.neardup_command(self.neardup, path + ".jsonl", "--finder", "minhash", "--no-recall",
                                                    "--threads", "2", "--limit", str(documents))
                run = job_table.measure([*command, kept], self.out, 2)
                times.setdefault(min(documents, about["documents"]), []).append(run["seconds"])
                say(f"growth, {documents:,} documents: {run['seconds']:.2f} s")
        os.remove(kept)
        self.growth = [(documents, sorted(seconds)[len(seconds) // 2]) for documents, seconds in sorted(times.items())]

    def read_rates(self):
        prefix = os.path.join(self.out, "read.jsonl")
        with open(self.corpus, "rb") as source, open(prefix, "wb") as target:
            while target.tell() < READ_BYTES and (line := source.readline()):
                target.write(line)
        command = [self.program("micro_read"), prefix, READ_SECONDS[self.options.scale]]
        for kernels in KERNELS:
            done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "NEARDUP_SIMD": kernels})
            if done.returncode:
                say(f"read, {kernels}: {done.stderr.strip()}")
                continue
            self.read[kernels] = json.loads(done.stdout)
            say(f"read, {kernels}: {self.read[kernels]['sets']:.0f} MB/s")
        os.remove(prefix)
        sums = {rate["checksum"] for rate in self.read.values()}
        self.check("read: every set of kernels makes the same hashes", len(sums) <= 1, f"{len(sums)} different results")

    # ---- the answers ----------------------------------------------------------------------------------------------

    def check(self, what, right, detail):
        self.checks.append({"what": what, "right": bool(right), "detail": detail})
        if not right:
            say(f"WRONG: {what}: {detail}")

    def compare_kept(self):
        by_name = {job.name: job for job in self.jobs}
        for name, other in {**SAME_KEPT, "neardup-minhash-recall": "neardup-minhash"}.items():
            if name in by_name and other in by_name:
                job, ours = by_name[name], by_name[other]
                self.check(f"{name} keeps what {other} keeps", job.kept == ours.kept,
                           f"{len(job.kept)} and {len(ours.kept)} kept")
                job.quality = job.quality or ours.quality
        for job in self.jobs:
            if self.truth and job.name in ("neardup-exact", "neardup-exact-prefix"):
                truth = self.truth.prefix(job.limit) if job.limit else self.truth
                self.check(f"{job.name} keeps what the definition says", job.kept == truth.kept(),
                           f"{len(job.kept)} kept")

    def input_bytes(self, job):
        if not job.limit:
            return self.about["bytes"]
        with open(self.corpus, "rb") as file:
            return sum(len(line) for _, line in zip(range(job.limit), file))

    def run(self):
        self.time_all()
        if not self.options.no_quality:
            self.judge_all()
        self.compare_kept()
        ours = not self.options.peers_only
        if ours and self.wanted("read"):
            self.read_rates()
        if ours and self.wanted("growth") and self.options.scale == "full":
            self.grow()
        return bars.bars({job.name: job for job in self.jobs}, self.growth, self.read,
                         EXACT_MEMORY * bars.MEGABYTE, MINHASH_MEMORY * bars.MEGABYTE)


def documents(options):
    """The rows that read documents: everything but the joins."""
    bench = Bench(options)
    found = bench.run()
    gaoya = next((job.seconds for job in bench.jobs if job.name == "gaoya"), None)
    truth = bench.truth
    return {
        "corpus": bench.about, "peers": bench.peers,
        "truth": {"pairs": len(truth.scores), "kept": len(truth.kept())} if truth else None,
        "rows": [report.row(job, bench.input_bytes(job), gaoya) for job in bench.jobs],
        "read": bench.read, "growth": bench.growth, "bars": found, "checks": bench.checks,
    }


def run_joins(options):
    os.makedirs(options.cache, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="joins-", dir=options.cache) as scratch:
        bench = joins.Joins(options, scratch, say)
        found = bench.run()
    return found | {"bars": bars.join_bars(found), "checks": bench.checks}


def run_hamming(options):
    os.makedirs(options.cache, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="hamming-", dir=options.cache) as scratch:
        bench = hamming_search.Hamming(options, scratch, say)
        found = bench.run()
    return found | {"bars": bars.hamming_bars(found), "checks": bench.checks}


def main():
    options = parse()
    result = {"machine": report.machine(), "checks": []}
    chosen = set(options.only or [])
    if chosen - set(joins.ROWS) - set(hamming_search.ROWS) or not chosen:
        result["documents"] = documents(options)
    if not options.peers_only and (chosen & set(joins.ROWS) or not chosen):
        result["joins"] = run_joins(options)
    if not options.peers_only and (chosen & set(hamming_search.ROWS) or not chosen):
        result["hamming"] = run_hamming(options)
    result["checks"] = [check for part in ("documents", "joins", "hamming") for check in result.get(part, {}).get("checks", [])]
    report.print_all(result, options.repeat, full=options.scale == "full")
    if options.json:
        with open(options.json, "w") as file:
            json.dump(result, file, indent=1, default=vars)
    sys.exit(1 if options.check and not all(check["right"] for check in result["checks"]) else 0)


if __name__ == "__main__":
    main()
