"""Hamming search: our indexes beside the prototypes they grew from and beside FAISS. Rows of run.py."""

import json
import os
import re
import subprocess

import corpus
import jobs as job_table

ROWS = ["hamming", "hamming-exact", "hamming-volatile", "hamming-join", "hamming-single", "hamming-codes",
        "hamming-batch", "hamming-faiss", "hamming-kernels"]  # `hamming` is all of them
SIZES = {"small": (200_000, 20_000), "full": (60_000_000, 1_000_000)}  # base, queries
CHECKED_QUERIES = 2_000  # compared with a scan of everything
KERNEL_QUERIES = 200_000
BATCH_MEMORY = "512M"
PROTOTYPES = os.path.join(os.path.dirname(corpus.ROOT), "shared", "prototypes", "hamming")
# Our designs by the memory they may take, and the prototype each grew from.
EXACT = {"csr": (45, "csr3"), "ex2h": (25, "ex2h"), "ex8": (85, "ex8")}


class Hamming:
    def __init__(self, options, scratch, say):
        self.options, self.scratch, self.say = options, scratch, say
        self.cache = os.path.abspath(options.cache)
        self.base, self.queries = SIZES[options.scale]
        self.program = os.path.join(options.build, "bench", "hamming")
        self.folder = make_data(options.build, self.cache, self.base, self.queries, say)
        self.prototypes = build_prototypes(self.cache, say) if options.scale == "full" else {}
        self.found, self.checks = {"base": self.base, "queries": self.queries}, []

    def wanted(self, row):
        return self.options.only is None or bool({"hamming", row} & set(self.options.only))

    def run(self):
        full = self.options.scale == "full"
        for row, task in (("hamming-exact", self.exact), ("hamming-volatile", self.volatile),
                          ("hamming-join", self.join), ("hamming-single", self.single), ("hamming-codes", self.codes),
                          ("hamming-kernels", self.kernels), ("hamming-batch", self.batch)):
            if self.wanted(row):
                self.found[row.removeprefix("hamming-")] = task()
        if full and self.wanted("hamming-faiss") and not self.options.no_peers:
            self.found["faiss"] = self.faiss()
        return self.found

    def check(self, what, right, detail):
        self.checks.append({"what": what, "right": bool(right), "detail": detail})
        if not right:
            self.say(f"WRONG: {what}: {detail}")

    def ours(self, verb, base=None, queries=None, kernels=None, **flags):
        counts = [base or self.base, *([queries or self.queries] if verb in ("search", "single") else [])]
        return run_program(self.program, self.folder, verb, counts, flags, self.say, kernels)

    def in_turn(self, ours, theirs=lambda: None):
        """The best figures of some runs of ours, and what the other program printed, which takes turns with it: two
        runs on a virtual machine may differ by a third, by the memory that each was given."""
        runs, text = [], ""
        for _ in range(self.options.repeat):
            runs.append(ours())
            text += theirs() or ""
        best = dict(runs[0])
        for name in best:
            if name.endswith("per_second"):
                best[name] = max(run[name] for run in runs)
            elif name.endswith("_seconds"):
                best[name] = min(run[name] for run in runs)
        return best, text

    def prototype(self, mode, program="proto", base=None):
        if program not in self.prototypes:
            return None
        command = [self.prototypes[program], *([mode] if mode else []), str(base or self.base)]
        command += [str(self.queries)] if program == "proto" else []
        environment = {**os.environ, **({"UNIQ": "1"} if program == "join" else {})}
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder, env=environment)
        return done.stdout if done.returncode == 0 else None

    # ---- what is measured -----------------------------------------------------------------------------------------

    def exact(self):
        """{design: {"ours": figures, "prototype": queries a second or None}}"""
        found, answers = {}, {}
        for name, (limit, prototype) in EXACT.items():
            # A small base has directories out of proportion, and the limits are meant for a large one.
            memory = limit * self.base if self.options.scale == "full" else 0
            ours, text = self.in_turn(lambda: self.ours("search", kind="fast", memory=memory, builds=2),
                                      lambda: self.prototype(prototype))
            theirs = rates(text)
            found[name] = {"ours": ours, "prototype": max(theirs) if theirs else None, "limit": limit}
            answers[name] = ours["answer"]
        self.check("every exact design gives the same answer", len(set(answers.values())) == 1, str(answers))
        few = {kind: self.ours("search", kind=kind, queries=CHECKED_QUERIES, repeat=1)["answer"]
               for kind in ("scan", "fast", "block-tables", "compressed-tables")}
        self.check("every exact kind gives the answer of a scan", len(set(few.values())) == 1, str(few))
        return found

    def volatile(self):
        truth = self.ours("search", kind="fast", repeat=1)["matches"]
        first = self.ours("search", kind="fast", first=1, repeat=1)["matches"]
        found = {}
        for name, flags, whole in (("all", {"kind": "volatile-bits", "target": 0.96}, truth),
                                   ("first", {"kind": "volatile-bits", "first": 1, "target": 0.96}, first),
                                   ("hybrid", {"kind": "hybrid", "target": 0.993}, truth),
                                   ("paper", {"kind": "volatile-bits", "header_bits": 26, "flips": 23}, truth)):
            figures, _ = self.in_turn(lambda: self.ours("search", **flags))
            found[name] = figures | {"recall": figures["matches"] / max(1, whole)}
            self.say(f"{name}: recall {found[name]['recall']:.4f}")
        if self.prototypes:
            one, two = ("".join(self.prototype(mode) or "" for _ in range(self.options.repeat))
                        for mode in ("psm2", "ex2"))
            found["prototype"] = {"all": recalls(one, r"PSM_A \S+thresh C"),
                                  "first": recalls(one, r"PSM_F line\+thresh C"),
                                  "hybrid": recalls_by_matches(two, "hybrid2", truth)}
        return found

    def join(self):
        found = {}
        for size in [self.base // 6, self.base]:
            one, text = self.in_turn(lambda: self.ours("self-join", base=size),
                                     lambda: self.prototype(None, "join", base=size))
            two, _ = self.in_turn(lambda: self.ours("self-join", base=size, threads=2))
            found[size] = {"ours": one, "2 threads": two}
            if theirs := re.findall(r"selfjoin n=\d+: cpu ([\d.]+)s", text):
                found[size]["prototype"] = min(map(float, theirs))
        return found

    def single(self):
        queries = min(self.queries, 200_000)
        return {"single": self.ours("single", kind="fast", queries=queries),
                "batched": self.ours("search", kind="fast", queries=queries)}

    def codes(self):
        return {code: self.ours("decode", code=code) for code in ("huffman", "elias-fano")}

    def kernels(self):
        found = {}
        for kernels in ("portable", "avx2", "avx512"):
            queries = min(self.queries, KERNEL_QUERIES)
            try:
                found[kernels] = {
                    "fast": self.ours("search", kind="fast", queries=queries, kernels=kernels, repeat=1),
                    "volatile-bits": self.ours(
                        "search", kind="volatile-bits", queries=queries, kernels=kernels, repeat=1),
                    "self-join": self.ours("self-join", base=self.base // 6, kernels=kernels)}
            except SystemExit as error:  # this machine may not have them
                self.say(f"skipped: {kernels} ({error})")
        for what in ("fast", "volatile-bits", "self-join"):
            answers = {kernels: each[what]["answer"] for kernels, each in found.items()}
            self.check(f"{what}: every set of kernels gives the same answer", len(set(answers.values())) == 1,
                       str(answers))
        return found

    def batch(self):
        names = make_files(self.options.build, self.folder, {"base60": self.base, "q": self.queries}, self.scratch)
        return run_batch(self.options.build, names["base60"], names["q"], BATCH_MEMORY, 1, self.scratch)

    def faiss(self):
        python = faiss_python(self.cache, self.say)
        if not python:
            return None
        script = os.path.join(job_table.BENCH, "peers", "hamming_faiss.py")
        done = subprocess.run([python, script, self.folder, str(self.base), str(min(self.queries, 200_000))],
                              capture_output=True, text=True,
                              env={**os.environ, "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1", "OMP_NUM_THREADS": "1"})
        if done.returncode:
            self.say(f"skipped: FAISS ({done.stderr.strip()[-200:]})")
            return None
        return json.loads(done.stdout)


def run_program(program, folder, verb, counts, flags, say, kernels=None):
    """What the program `hamming` prints; `counts` are the fingerprints to take from the folder, and the queries."""
    command = [program, verb, folder, *map(str, counts), *(f"{name}={value}" for name, value in flags.items())]
    environment = {**os.environ, **({"NEARDUP_SIMD": kernels} if kernels else {})}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.stderr.strip()}")
    result = json.loads(done.stdout)
    shown = ", ".join(f"{name} {value}" for name, value in result.items() if isinstance(value, (int, float)))
    say(f"{verb} {' '.join(f'{name}={value}' for name, value in flags.items())}: {shown}")
    return result


def make_files(build, folder, counts, scratch):
    """{name: path} of .fps files with so many of the folder's fingerprints."""
    names = {}
    for name, count in counts.items():
        names[name] = os.path.join(scratch, f"{name}.fps")
        text = os.path.join(scratch, f"{name}.hex")
        with open(text, "wb") as file:
            program = os.path.join(build, "bench", "hamming")
            subprocess.run([program, "hex", folder, str(count), f"file={name}"], stdout=file, check=True)
        subprocess.run([os.path.join(build, "neardup"), "fingerprint", "--merge", text, "-o", names[name], "--force",
                        "--quiet"], check=True)
        os.remove(text)
    return names


def run_batch(build, base, queries, memory, threads, scratch):
    """The --stats of `neardup match` with a base that does not fit the memory it may use."""
    stats, target = (os.path.join(scratch, name) for name in ("stats.json", "pairs.tsv"))
    run = job_table.measure(
        [os.path.join(build, "neardup"), "match", base, queries, "--memory", memory, "--threads", str(threads),
         "--stats", stats, "--force", "--quiet", "-o", target], scratch, threads)
    with open(stats) as file:
        return json.load(file) | {"wall_seconds": run["seconds"], "cpu_seconds": run["cpu_seconds"],
                                  "rss_bytes": run["peak_bytes"]}


def rates(text):
    return [float(rate) for rate in re.findall(r"nq=\d{6,}\s+(\d+) q/s", text or "")]


def recalls(text, pattern):
    """[(recall, queries a second)] of the prototype's lines that match."""
    lines = re.findall(pattern + r"=\S+.*?(\d+) q/s.*\n\s+recall_[AF] ([\d.]+)", text)
    return [(float(recall), float(rate)) for rate, recall in lines]


def recalls_by_matches(text, pattern, whole):
    lines = re.findall(pattern + r" tau=\S+.*?(\d+) q/s.*?matches=(\d+)", text)
    return [(int(matches) / whole, float(rate)) for rate, matches in lines]


def make_data(build, cache, base, queries, say):
    folder = os.path.join(cache, f"hamming-{base}-{queries}")
    if not os.path.exists(os.path.join(folder, "data", "w.bin")):
        say(f"making {base:,} fingerprints and {queries:,} queries")
        subprocess.run([os.path.join(build, "bench", "hamming_data"), folder, str(base), str(queries)], check=True)
    return folder


def build_prototypes(cache, say):
    if not os.path.exists(PROTOTYPES):
        say(f"skipped: the prototypes ({PROTOTYPES} is missing)")
        return {}
    folder, found = os.path.join(cache, "prototypes"), {}
    os.makedirs(folder, exist_ok=True)
    for name in ("proto", "join"):
        program = os.path.join(folder, "hamming-" + name)
        command = ["g++", "-O3", "-march=native", "-std=c++20", "-w", "-o", program,
                   os.path.join(PROTOTYPES, name + ".cpp")]
        if not os.path.exists(program) and subprocess.run(command).returncode:
            say(f"skipped: the prototype {name} does not build")
            continue
        found[name] = program
    return found


def faiss_python(cache, say):
    folder = os.path.join(cache, "venv-faiss")
    python = os.path.join(folder, "bin", "python")
    if os.path.exists(python) and not subprocess.run([python, "-c", "import faiss"], capture_output=True).returncode:
        return python
    say("installing faiss-cpu")
    try:
        job_table.make_environment(folder)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "faiss-cpu"],
                       check=True)
    except subprocess.CalledProcessError as error:
        say(f"skipped: faiss-cpu could not be installed ({error})")
        return None
    return python
