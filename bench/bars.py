"""What the benchmark demands: one line for each promise about speed and memory, and how far it is kept.

Times depend on the machine and its other work, so they never fail a test; wrong answers do.
"""
import dataclasses
import math

MEGABYTE = 1 << 20


@dataclasses.dataclass
class Bar:
    text: str
    value: str
    kept: bool


def doublings(growth):
    """(from, to, cost of a doubling) for (documents, seconds) in ascending order."""
    steps = []
    for (few, short), (many, long) in zip(growth, growth[1:]):
        steps.append((few, many, (long / short) ** (1 / math.log2(many / few))))
    return steps


def bars(jobs, growth, read, memory_bytes):
    """jobs: by name, those that ran. Bars whose figures are missing are left out."""
    found = []

    def bar(text, value, kept):
        found.append(Bar(text, value, bool(kept)))

    ours = jobs.get("neardup")
    if ours and "gaoya" in jobs:
        ratio = jobs["gaoya"].seconds / ours.seconds
        bar("at least 3x gaoya's throughput, both on 2 threads", f"{ratio:.2f}x", ratio >= 3)
    if ours and ours.quality:
        recall, precision = ours.quality["recall"], ours.quality["precision"]
        bar("recall at least 0.97", f"{recall:.4f}", recall >= 0.97)
        bar("precision 1.0", f"{precision:.6f}", precision == 1)
    if ours and "neardup-recall" in jobs:
        extra = jobs["neardup-recall"].seconds / ours.seconds - 1
        bar("measuring recall adds at most 60%", f"{extra:+.0%}", extra <= 0.6)
    if ours and "neardup-1-thread" in jobs:
        gain = jobs["neardup-1-thread"].seconds / ours.seconds
        bar("2 threads at least 1.7x one", f"{gain:.2f}x", gain >= 1.7)
    if ours:
        bar("peak memory at most 1.5 GB", f"{ours.peak_bytes / 1e9:.2f} GB", ours.peak_bytes <= 1.5e9)
    if ours and "neardup-memory" in jobs:
        small = jobs["neardup-memory"]
        cost = small.seconds / ours.seconds
        bar(f"--memory {memory_bytes // MEGABYTE}M honoured", f"{small.peak_bytes / MEGABYTE:.0f} MiB",
            small.peak_bytes <= memory_bytes)
        bar("the same documents kept within that memory", "same" if small.kept == ours.kept else "different",
            small.kept == ours.kept)
        bar("at most 2x the time within that memory", f"{cost:.2f}x", cost <= 2)
    for few, many, cost in doublings(growth):
        bar(f"a doubling costs at most 2.3x: {few:,} to {many:,} documents", f"{cost:.2f}x", cost <= 2.3)
    for kernels, least in (("avx512", 120), ("portable", 60)):
        if kernels in read:
            rate = read[kernels]["sets"]
            bar(f"JSONL to 5-gram hashes at least {least} MB/s a thread (CPU time), {kernels}", f"{rate:.0f} MB/s",
                rate >= least)
    return found
