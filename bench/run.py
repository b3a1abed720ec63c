#!/usr/bin/env python3
"""neardup beside its peers on one corpus: seconds, MB/s, ratio, peak memory, kept documents, recall and precision.

Usage: bench/run.py                                     everything, 1 GB; about 20 minutes on two cores
       bench/run.py --scale small --no-peers --check    the answers alone; exit 1 when one is wrong
       bench/run.py --only neardup,gaoya --repeat 5     some rows
bench/README.md says what each row and column means.
"""
import argparse
import atexit
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time

import bars
import corpus
import jobs as job_table
import quality

ROOT = corpus.ROOT
MEMORY = "384M"
MEMORY_BYTES = 384 * bars.MEGABYTE
GROWTH_DOCUMENTS = [100_000, 200_000, 400_000, 800_000, 1_000_000]
READ_BYTES = 100_000_000
READ_SECONDS = {"small": "0.5", "full": "5"}
KERNELS = ["portable", "avx2", "avx512"]
EXTRA_ROWS = ["growth", "read"]


def say(text):
    print(f"[{time.strftime('%H:%M:%S')}] {text}", file=sys.stderr, flush=True)


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", choices=["small", "full"], default="full", help="20 MB or 1 GB (default: %(default)s)")
    parser.add_argument("--repeat", type=int, default=3, help="timed runs of each row, interleaved (default: %(default)s)")
    parser.add_argument("--only", help="rows to run, comma-separated")
    parser.add_argument("--no-peers", action="store_true", help="neardup alone; needs no package index")
    parser.add_argument("--peers-only", action="store_true", help="the peers alone; needs no build of neardup")
    parser.add_argument("--no-quality", action="store_true", help="times only: no recall, no precision")
    parser.add_argument("--check", action="store_true", help="exit 1 when an answer is wrong; one run of each row")
    parser.add_argument("--json", metavar="FILE", help="also write every figure to FILE")
    parser.add_argument("--data", default=corpus.default_data(), help="folder of real collections (default: %(default)s)")
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
            chosen += job_table.neardup_jobs(self.neardup, self.corpus, self.about["documents"], MEMORY)
        known = [job.name for job in chosen] + EXTRA_ROWS
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
                job.runs.append(job_table.measure([*job.command, kept], self.out, job.threads))
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
                if job.name not in ("neardup-1-thread", "neardup-memory"):  # they must keep what `neardup` keeps
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
        self.check(f"{job.name}: precision is 1", job.quality["precision"] == 1, f"{job.quality['precision']:.6f}")
        least = 1.0 if job.name == "neardup-exact" else 0.9
        self.check(f"{job.name}: recall is at least {least}", job.quality["recall"] >= least, f"{job.quality['recall']:.4f}")
        wrong = quality.wrong_scores(truth, pairs)
        self.check(f"{job.name}: every score is exact", not wrong, f"{len(wrong)} are not, such as {wrong[:1]}")
        self.check(f"{job.name}: the kept documents follow from the pairs",
                   job.kept == quality.kept_rows(len(truth.first), links), f"{len(job.kept)} kept")
        self.check(f"{job.name}: a file and a folder get the same documents",
                   job.kept == quality.read_kept(os.path.join(folder, "kept.jsonl")), f"{len(job.kept)} kept")
        with open(os.path.join(folder, "run.json")) as file:
            stated = json.load(file).get("recall")
        if job.name == "neardup-recall":
            self.check_stated_recall(job, stated)
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
        for kernels in KERNELS:
            done = subprocess.run([self.program("micro_read"), prefix, READ_SECONDS[self.options.scale]], capture_output=True, text=True,
                                  env={**os.environ, "NEARDUP_SIMD": kernels})
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
        ours = by_name.get("neardup")
        for name in ("neardup-1-thread", "neardup-recall", "neardup-memory"):
            if ours and name in by_name:
                self.check(f"{name} keeps what neardup keeps", by_name[name].kept == ours.kept,
                           f"{len(by_name[name].kept)} and {len(ours.kept)} kept")
                by_name[name].quality = by_name[name].quality or ours.quality
        if self.truth and "neardup-exact" in by_name:
            job = by_name["neardup-exact"]
            self.check("neardup-exact keeps what the definition says", job.kept == self.truth.prefix(job.limit).kept(),
                       f"{len(job.kept)} kept")

    def prefix_bytes(self, rows):
        with open(self.corpus, "rb") as file:
            return sum(len(line) for _, line in zip(range(rows), file))

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
        return bars.bars({job.name: job for job in self.jobs}, self.growth, self.read, MEMORY_BYTES)


# ---- what is printed ----------------------------------------------------------------------------------------------

def number(value, form):
    return "-" if value is None else format(value, form)


def row_of(bench, job, gaoya):
    size = bench.prefix_bytes(job.limit) if job.limit else bench.about["bytes"]
    judged = job.quality or {}
    return {"name": job.name, "tool": job.label, "threads": job.threads, "seconds": job.seconds,
            "cpu_seconds": job.cpu_seconds, "mb_per_s": size / 1e6 / job.seconds, "to_gaoya": gaoya / job.seconds if gaoya and not job.limit else None,
            "peak_mb": job.peak_bytes / 1e6, "kept": len(job.kept), "runs": [run["seconds"] for run in job.runs],
            **{figure: judged.get(figure) for figure in ("recall", "linked", "precision", "pairs", "planted", "stated")}}


def print_table(rows):
    print(f"{'tool':38} {'thr':>3} {'seconds':>8} {'cpu s':>7} {'MB/s':>7} {'x gaoya':>8} {'peak MB':>8} {'kept':>9} "
          f"{'recall':>7} {'linked':>7} {'precision':>9}")
    for row in rows:
        print(f"{row['tool']:38} {row['threads']:>3} {row['seconds']:>8.2f} {row['cpu_seconds']:>7.2f} {row['mb_per_s']:>7.1f} "
              f"{number(row['to_gaoya'], '.2f'):>8} {row['peak_mb']:>8.0f} {row['kept']:>9,} "
              f"{number(row['recall'], '.4f'):>7} {number(row['linked'], '.4f'):>7} {number(row['precision'], '.4f'):>9}")


def print_planted(rows):
    judged = {}
    for row in rows:
        if row["planted"]:
            judged.setdefault(tuple(row["planted"].items()), row["tool"])  # rows of one answer once
    if judged:
        print("\nPlanted copies brought together with their original, by percent of words edited:")
    for shares, tool in judged.items():
        print(f"{tool:38} " + "  ".join(f"{percent}%: {share:.3f}" for percent, share in shares))


def machine():
    model = platform.machine()
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo") as file:
            model = next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), model)
    return {"cpu": model, "cores": os.cpu_count(), "load": os.getloadavg()[0]}


def main():
    options = parse()
    bench = Bench(options)
    where, about = machine(), bench.about
    verdicts = bench.run()
    gaoya = next((job.seconds for job in bench.jobs if job.name == "gaoya"), None)
    rows = [row_of(bench, job, gaoya) for job in bench.jobs]

    print(f"Corpus: {about['bytes'] / 1e6:.0f} MB, {about['documents']:,} documents ({about['natural']:,} of {about['source']} "
          f"text, {about['woven']:,} woven, {about['copies']:,} planted copies). Median of {options.repeat}, interleaved.")
    print(f"Machine: {where['cpu']}, {where['cores']} cores, load {where['load']:.1f} at the start. Peers: {bench.peers or 'none'}")
    if bench.truth:
        print(f"The definition: {len(bench.truth.scores):,} pairs, {len(bench.truth.kept()):,} documents kept.")
    print()
    print_table(rows)
    print_planted(rows)
    if bench.read:
        print("\nOne thread, JSONL to ..., MB/s:")
        for kernels, rate in bench.read.items():
            print(f"  {kernels:9} documents {rate['documents']:.0f}   hashes {rate['hashes']:.0f}   sets {rate['sets']:.0f}")
    if bench.growth:
        print("\nGrowth: " + "   ".join(f"{documents:,} documents {seconds:.2f} s" for documents, seconds in bench.growth))
    full = options.scale == "full"
    if verdicts:
        print("\nBars" + ("" if full else " (no verdicts: they are meant for --scale full)"))
    for bar in verdicts:
        print(f"  {('pass' if bar.kept else 'FAIL') if full else '    '}  {bar.value:>10}  {bar.text}")
    wrong = [check for check in bench.checks if not check["right"]]
    if bench.checks:
        print(f"\nAnswers: {len(bench.checks) - len(wrong)} of {len(bench.checks)} checks right")
    for check in wrong:
        print(f"  WRONG  {check['what']}: {check['detail']}")
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"corpus": about, "machine": where, "peers": bench.peers, "rows": rows, "read": bench.read,
                       "growth": bench.growth, "bars": [vars(bar) for bar in verdicts], "checks": bench.checks}, file, indent=1)
    sys.exit(1 if options.check and wrong else 0)


if __name__ == "__main__":
    main()
