"""The joins beside each other, beside the prototypes they grew from, and beside other tools. Rows of run.py."""

import gzip
import os
import random
import re
import statistics
import subprocess
import tarfile

import corpus
import jobs as job_table
import join_runs
import join_sets

ROWS = ["joins", "join-algorithms", "join-memory", "join-peers", "join-edit"]  # `joins` is all of them
THRESHOLDS = {"0.95": 1, "0.9": 1, "0.8": 1, "0.7": 1, "0.5": 0.3}  # at which share of the records
PAPERS = ["ppjoin", "ppjoin+"]
KERNELS_AT = "0.8"
SHARES = {"small": 0.01, "full": 1}
LONG_SECONDS = 15  # a join that takes longer runs once
PROTOTYPES = os.path.join(os.path.dirname(corpus.ROOT), "shared", "prototypes", "join")
PEERS = ["SetSimilaritySearch", "rapidfuzz", "py_stringsimjoin"]
# py_stringsimjoin has no wheels: its sources need these to build.
PEER_TOOLS = ["setuptools<70", "wheel", "cython<3", "numpy<2", "pandas<2", "six", "joblib", "pyprind"]
VERSES = 100_000
NAMES = 20_000
MILLION_NAME_PAIRS = 2_369_626  # of names of at most 64 characters: the prototype that counted them skips longer ones
PROTOTYPE_LENGTH = 64


class Joins:
    def __init__(self, options, scratch, say):
        self.options, self.scratch, self.say = options, scratch, say
        self.cache = os.path.abspath(options.cache)
        self.program = os.path.join(options.build, "neardup")
        self.share = SHARES[options.scale]
        self.prototypes = build_prototypes(self.cache, say) if options.scale == "full" else {}
        self.algorithms, self.memory, self.peers, self.edit, self.checks = {}, None, {}, None, []

    def wanted(self, row):
        return self.options.only is None or bool({"joins", row} & set(self.options.only))

    def run(self):
        if self.wanted("join-algorithms"):
            for name in join_sets.SETS:
                if name != "million":
                    self.algorithms[name] = self.compare(name)
        full = self.options.scale == "full"
        if full and self.wanted("join-memory"):
            self.memory = self.million_sets()
        if full and self.wanted("join-edit"):
            self.edit = self.million_names()
        if full and self.wanted("join-peers") and not self.options.no_peers:
            self.peers = self.beside_peers()
        return {"algorithms": self.algorithms, "memory": self.memory, "edit": self.edit, "peers": self.peers}

    def check(self, what, right, detail):
        self.checks.append({"what": what, "right": bool(right), "detail": detail})
        if not right:
            self.say(f"WRONG: {what}: {detail}")

    # ---- our algorithms, our kernels, our threads, the prototypes -------------------------------------------------

    def compare(self, name):
        """{"about": ..., thresholds: {label: figures}}. All runs at one threshold take turns."""
        result = {"thresholds": {}}
        for threshold, part in THRESHOLDS.items():
            path, about = join_sets.make_sets(name, self.share * part, self.options.data, self.cache, say=self.say)
            binary = join_sets.make_binary(path, self.say) if self.prototypes else None
            result.setdefault("about", about)
            figures = self.turns(self.tasks(path, binary, threshold))
            result["thresholds"][threshold] = figures
            counts = {label: each["pairs"] for label, each in figures.items()}
            self.check(f"{name} at {threshold}: the same number of pairs", len(set(counts.values())) == 1, str(counts))
            answers = {each["answer"] for each in figures.values() if each["answer"]}
            self.check(f"{name} at {threshold}: the same pairs", len(answers) == 1, f"{len(answers)} different answers")
            self.say(
                f"{name} {threshold}: " + ", ".join(f"{label} {each['seconds']:.3f}" for label, each in figures.items())
            )
        return result

    def tasks(self, path, binary, threshold):
        def ours(algorithm, threads=1, kernels=None):
            return lambda: join_runs.pairs(
                self.program,
                [path],
                self.scratch,
                algorithm=algorithm,
                threshold=threshold,
                threads=threads,
                kernels=kernels,
            )

        tasks = {each: ours(each) for each in ["signature", *PAPERS]}
        if self.options.scale == "small":
            tasks |= {"all-pairs": ours("all-pairs"), "brute-force": ours("brute-force")}
        if threshold == KERNELS_AT:
            tasks |= {"portable": ours("signature", kernels="portable"), "avx2": ours("signature", kernels="avx2")}
        tasks["2 threads"] = ours("signature", threads=2)
        for label, program, algorithm in (("fast_join", "fast_join", "o"), ("pp", "paper_algorithms", "pp")):
            if program in self.prototypes:
                tasks[label] = lambda program=program, algorithm=algorithm: self.prototype(
                    program, algorithm, threshold, binary
                )
        return tasks

    def turns(self, tasks):
        runs = {label: [] for label in tasks}
        for repeat in range(self.options.repeat):
            for label, task in tasks.items():
                if not repeat or runs[label][0]["join_seconds"] < LONG_SECONDS:
                    runs[label].append(task())
        return {label: summary(each) for label, each in runs.items()}

    def prototype(self, program, algorithm, threshold, binary):
        output = os.path.join(self.scratch, "prototype.txt")
        percent = str(round(float(threshold) * 100))
        run = job_table.measure(
            ["sh", "-c", f'exec "$0" "$@" >{output} 2>/dev/null', self.prototypes[program], algorithm, percent, binary],
            self.scratch,
            1,
        )
        with open(output) as file:
            figures = dict(re.findall(r"(\w+)=(\S+)", file.read()))
        return {
            "join_seconds": float(figures["time"]),
            "candidates": int(figures["cand"]),
            "pairs": int(figures["res"]),
            "wall_seconds": run["seconds"],
            "cpu_seconds": run["cpu_seconds"],
            "index_seconds": 0.0,
            "answer": None,
        }

    def million_sets(self):
        path, about = join_sets.make_sets("million", self.share, self.options.data, self.cache, say=self.say)
        run = join_runs.pairs(self.program, [path], self.scratch, algorithm="signature", threads=2)
        return {"about": about, "peak_bytes": run["rss_bytes"], "pairs": run["pairs"], "seconds": run["wall_seconds"]}

    # ---- strings --------------------------------------------------------------------------------------------------

    def names(self):
        source = os.path.join(self.options.data or "", "npm_names_1m.txt.gz")
        if not os.path.exists(source):
            self.say(f"skipped: the names of npm packages ({source} is missing)")
            return None
        with gzip.open(source, "rt", encoding="utf-8") as file:
            return file.read().splitlines()

    def million_names(self):
        if (names := self.names()) is None:
            return None
        path = write_lines(os.path.join(self.scratch, "names.txt"), names)
        tasks = {
            "neardup": lambda: join_runs.pairs(
                self.program, [path, "--lines"], self.scratch, "--as-is", measure="edit", threshold=2, threads=2
            )
        }
        if "edit_join" in self.prototypes:
            tasks["edit_join"] = lambda: self.prototype_edit(path, len(names))
        figures = self.turns(tasks)
        lengths = [len(name) for name in names]
        places = ([int(id.rsplit(":", 1)[1]) - 1 for id in pair] for pair in join_runs.read_pairs(self.scratch))
        short = sum(max(lengths[left], lengths[right]) <= PROTOTYPE_LENGTH for left, right in places)
        self.check(
            f"a million names: the known number of pairs of at most {PROTOTYPE_LENGTH} characters",
            short == MILLION_NAME_PAIRS,
            f"{short:,} instead of {MILLION_NAME_PAIRS:,}",
        )
        return figures

    def prototype_edit(self, path, count):
        output = os.path.join(self.scratch, "prototype.txt")
        run = job_table.measure(
            ["sh", "-c", f'exec "$0" "$@" >{output}', self.prototypes["edit_join"], path, str(count), "2"],
            self.scratch,
            2,
        )
        with open(output) as file:
            index, join, candidates, found = re.search(
                r"index ([\d.]+) join ([\d.]+) s, candidates (\d+), pairs (\d+)", file.read()
            ).groups()
        return {
            "join_seconds": float(index) + float(join),
            "candidates": int(candidates),
            "pairs": int(found),
            "wall_seconds": run["seconds"],
            "cpu_seconds": run["cpu_seconds"],
            "index_seconds": float(index),
            "answer": None,
        }

    # ---- other tools, end to end from a file ----------------------------------------------------------------------

    def beside_peers(self):
        python = peer_python(self.cache, self.say)
        if not python:
            return {}
        found, data = {}, self.options.data or ""
        words = ["--lines", "--features", "words"]
        if os.path.exists(os.path.join(data, "bible_versions.tar.xz")):
            path = write_lines(os.path.join(self.scratch, "verses.txt"), verses(data))
            found["verses"] = self.peer_turns(
                python, [path, *words], {}, {"py_stringsimjoin": [path], "SetSimilaritySearch": [path]}
            )
        if os.path.exists(os.path.join(data, "er_dev.tar.xz")):
            left, right = (
                write_lines(os.path.join(self.scratch, f"{name}.txt"), titles(data, name))
                for name in ("imdb", "dbpedia")
            )
            found["titles"] = self.peer_turns(
                python, [left, *words, "--against", right], {}, {"py_stringsimjoin": [left, right]}
            )
        if names := self.names():
            path = write_lines(os.path.join(self.scratch, "few-names.txt"), random.Random(1).sample(names, NAMES))
            found["names"] = self.peer_turns(
                python, [path, "--lines", "--as-is"], {"measure": "edit", "threshold": 2}, {"rapidfuzz": [path]}
            )
        for what, figures in found.items():
            counts = {label: each["pairs"] for label, each in figures.items()}
            # py_stringsimjoin rounds: it loses a few pairs that are exactly at the threshold.
            least = 0.999 if "py_stringsimjoin" in counts else 1
            self.check(
                f"{what}: peers find as many pairs",
                all(count in range(int(least * counts["neardup"]), counts["neardup"] + 1) for count in counts.values()),
                str(counts),
            )
        return found

    def peer_turns(self, python, source, how, peers):
        tasks = {
            "neardup": lambda: whole(join_runs.pairs(self.program, source, self.scratch, threads=2, **how)),
            "neardup, 1 thread": lambda: whole(join_runs.pairs(self.program, source, self.scratch, threads=1, **how)),
        }
        for peer, (first, *rest) in peers.items():
            tasks[peer] = lambda peer=peer, first=first, rest=rest: self.peer(python, peer, first, rest)
        return self.turns(tasks)

    def peer(self, python, name, first, rest):
        script = os.path.join(job_table.BENCH, "peers", f"join_{name.lower().removeprefix('py_')}.py")
        target = os.path.join(self.scratch, "peer.tsv")
        run = job_table.measure([python, script, first, target, *rest], self.scratch, 1)
        with open(target, "rb") as file:
            count = sum(1 for _ in file) - 1
        self.say(f"{name}: {run['seconds']:.2f} s, {count:,} pairs")
        return whole(
            {
                "pairs": count,
                "candidates": None,
                "wall_seconds": run["seconds"],
                "cpu_seconds": run["cpu_seconds"],
                "index_seconds": 0.0,
                "answer": None,
            }
        )


def whole(run):
    """A run whose seconds are those of the process, from its start to its end."""
    return run | {"join_seconds": run["wall_seconds"], "answer": None}


def summary(runs):
    """Medians. `cpu` is the join's time without what other programs took: its seconds by the process's CPU share, at
    most 1, so it means something on one thread only; `process_cpu` is all the process used, on all its threads."""

    def median(figure):
        return statistics.median(map(figure, runs))

    return {
        "seconds": median(lambda run: run["join_seconds"]),
        "cpu": median(lambda run: run["join_seconds"] * min(1, run["cpu_seconds"] / run["wall_seconds"])),
        "probe": median(lambda run: run["join_seconds"] - run["index_seconds"]),
        "process_cpu": median(lambda run: run["cpu_seconds"]),
        "runs": len(runs),
        "spread": max(run["join_seconds"] for run in runs) / max(1e-9, min(run["join_seconds"] for run in runs)),
        **{name: runs[0][name] for name in ("pairs", "candidates", "answer")},
    }


def write_lines(path, lines):
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in lines)
    return path


def verses(data):
    with tarfile.open(os.path.join(data, "bible_versions.tar.xz"), "r|xz") as archive:
        for entry in archive:
            if entry.name.endswith("verses.tsv.gz"):
                text = gzip.decompress(archive.extractfile(entry).read()).decode("utf-8")
                texts = (line.split("\t")[2] for line in text.splitlines())
                return [" ".join(join_sets.clean(verse)) for _, verse in zip(range(VERSES), texts)]


def titles(data, name):
    text = join_sets.member(os.path.join(data, "er_dev.tar.xz"), f"er/jedai/data/ccer/D10/{name}.csv")
    return [" ".join(join_sets.clean(title)) for title in join_sets.table(text, "|", "title")]


def build_prototypes(cache, say):
    """{name: program}; nothing where their sources or a compiler are missing."""
    if not os.path.exists(PROTOTYPES):
        say(f"skipped: the prototypes ({PROTOTYPES} is missing)")
        return {}
    folder, found = os.path.join(cache, "prototypes"), {}
    os.makedirs(folder, exist_ok=True)
    for name in ("fast_join", "paper_algorithms", "edit_join"):
        program, source = os.path.join(folder, name), os.path.join(PROTOTYPES, name + ".cpp")
        command = ["g++", "-O3", "-march=native", "-pthread", "-w", "-o", program, source]
        if not os.path.exists(program) and subprocess.run(command).returncode:
            say(f"skipped: the prototype {name} does not build")
            continue
        found[name] = program
    return found


def peer_python(cache, say):
    folder = os.path.join(cache, "venv-joins")
    python = os.path.join(folder, "bin", "python")
    imports = [python, "-c", "import py_stringsimjoin, rapidfuzz, SetSimilaritySearch"]
    if os.path.exists(python) and not subprocess.run(imports, capture_output=True).returncode:
        return python
    say("installing the peers of the joins: " + " ".join(PEERS))
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    try:
        job_table.make_environment(folder)
        subprocess.run([*install, *PEER_TOOLS], check=True)
        subprocess.run([*install, "--no-build-isolation", *PEERS], check=True)
    except subprocess.CalledProcessError as error:
        say(f"skipped: the peers of the joins could not be installed ({error})")
        return None
    return python
