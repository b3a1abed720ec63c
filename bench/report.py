"""What the benchmark prints, and the same as JSON."""

import os
import platform


def machine():
    model = platform.machine()
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo") as file:
            model = next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), model)
    return {"cpu": model, "cores": os.cpu_count(), "load": os.getloadavg()[0]}


def row(job, input_bytes, gaoya_seconds):
    """One row's figures. A row that saw only a prefix has no ratio to one that saw everything."""
    judged = job.quality or {}
    figures = {
        "name": job.name,
        "tool": job.label,
        "threads": job.threads,
        "seconds": job.seconds,
        "cpu_seconds": job.cpu_seconds,
        "mb_per_s": input_bytes / 1e6 / job.seconds,
        "to_gaoya": gaoya_seconds / job.seconds if gaoya_seconds and not job.limit else None,
        "peak_mb": job.peak_bytes / 1e6,
        "kept": len(job.kept),
        "runs": job.runs,
    }
    for name in ("recall", "linked", "precision", "pairs", "planted", "stated"):
        figures[name] = judged.get(name)
    return figures


COLUMNS = [
    ("tool", "tool", "<38"),
    ("threads", "thr", ">3"),
    ("seconds", "seconds", ">8.2f"),
    ("cpu_seconds", "cpu s", ">7.2f"),
    ("mb_per_s", "MB/s", ">7.1f"),
    ("to_gaoya", "x gaoya", ">8.2f"),
    ("peak_mb", "peak MB", ">8.0f"),
    ("kept", "kept", ">9,"),
    ("recall", "recall", ">7.4f"),
    ("linked", "linked", ">7.4f"),
    ("precision", "precision", ">9.4f"),
]


def cell(value, form):
    width = form.split(".")[0].rstrip(",")
    return format("-" if value is None else value, width if value is None else form)


def print_table(rows):
    print(" ".join(cell(title, form.split(".")[0].rstrip(",")) for _, title, form in COLUMNS))
    for figures in rows:
        print(" ".join(cell(figures[name], form) for name, _, form in COLUMNS))


def print_planted(rows):
    judged = {}
    for figures in rows:
        if figures["planted"]:
            judged.setdefault(tuple(figures["planted"].items()), figures["tool"])  # rows of one answer once
    if judged:
        print("\nPlanted copies brought together with their original, by percent of words edited:")
    for shares, tool in judged.items():
        print(f"{tool:38} " + "  ".join(f"{percent}%: {share:.3f}" for percent, share in shares))


def print_bars(found, full):
    if found:
        print("\nBars" + ("" if full else " (no verdicts: they are meant for --scale full)"))
    for bar in found:
        verdict = ("pass" if bar.kept else "FAIL") if full else ""
        print(f"  {verdict:4}  {bar.value:>10}  {bar.text}")


def print_checks(checks):
    wrong = [check for check in checks if not check["right"]]
    if checks:
        print(f"\nAnswers: {len(checks) - len(wrong)} of {len(checks)} checks right")
    for check in wrong:
        print(f"  WRONG  {check['what']}: {check['detail']}")


def print_all(result, repeat, full):
    where = result["machine"]
    print(
        f"Machine: {where['cpu']}, {where['cores']} cores, load {where['load']:.1f} at the start. "
        f"Median of {repeat}, interleaved."
    )
    if "documents" in result:
        print_documents(result["documents"], full)
    if "joins" in result:
        print_joins(result["joins"], full)
    if "hamming" in result:
        print_hamming(result["hamming"], full)
    print_checks(result["checks"])


def print_documents(result, full):
    about, truth = result["corpus"], result["truth"]
    print(
        f"Corpus: {about['bytes'] / 1e6:.0f} MB, {about['documents']:,} documents: {about['natural']:,} of "
        f"{about['source']} text, {about['woven']:,} woven, {about['copies']:,} planted copies. "
        f"Peers: {result['peers'] or 'none'}."
    )
    if truth:
        print(f"The definition: {truth['pairs']:,} pairs of distinct sets, {truth['kept']:,} documents kept.")
    print()
    print_table(result["rows"])
    print_planted(result["rows"])
    if result["read"]:
        print("\nOne thread, JSONL to ..., MB per second of CPU time:")
    for kernels, rate in result["read"].items():
        print(
            f"  {kernels:9}"
            + "".join(f" {name} {rate[name]:.0f}  " for name in ("documents", "hashes", "sets"))
            + f" (sets by the clock {rate['sets_wall']:.0f})"
        )
    if result["growth"]:
        steps = (f"{documents:,} documents {seconds:.2f} s" for documents, seconds in result["growth"])
        print("\nGrowth: " + "   ".join(steps))
    print_bars(result["bars"], full)


def print_joins(result, full):
    for name, compared in result["algorithms"].items():
        about = compared["about"]
        print(
            f"\nJoin of {name}: {about['about']}; n {about['n']:,} ({about['real']:,} real), "
            f"avg_len {about['avg_len']}, "
            f"|U| {about['universe']:,}. CPU seconds of the join, one thread unless said:"
        )
        labels = list(dict.fromkeys(label for figures in compared["thresholds"].values() for label in figures))
        print(
            f"  {'t':5}" + "".join(f"{label:>12}" for label in labels) + f"{'x better of the paper':>23}{'pairs':>12}"
        )
        for threshold, figures in compared["thresholds"].items():
            gain = min(figures["ppjoin"]["cpu"], figures["ppjoin+"]["cpu"]) / figures["signature"]["cpu"]
            times = (cell(figures[label]["cpu"] if label in figures else None, ">12.4f") for label in labels)
            print(f"  {threshold:5}" + "".join(times) + f"{gain:23.2f}{figures['signature']['pairs']:12,}")
    if result["memory"]:
        about, peak = result["memory"]["about"], result["memory"]["peak_bytes"]
        print(
            f"\nMemory: {about['n']:,} sets, avg_len {about['avg_len']}, at .8: {peak / 1e6:.0f} MB, "
            f"{result['memory']['pairs']:,} pairs, {result['memory']['seconds']:.1f} s from the file to the pairs"
        )
    beside = {
        **result["peers"],
        **({"a million names, edit <= 2, join alone": result["edit"]} if result["edit"] else {}),
    }
    for what, figures in beside.items():
        print(f"\n{what}:")
        for label, each in figures.items():
            print(
                f"  {label:20} {each['seconds']:8.2f} s   {each['process_cpu']:8.2f} CPU s of the process   "
                f"{each['pairs']:,} pairs   "
                f"{each['runs']} runs, slowest/fastest {each['spread']:.2f}"
            )
    print_bars(result["bars"], full)


def print_hamming(result, full):
    print(
        f"\nHamming search: {result['base']:,} generated fingerprints, {result['queries']:,} queries, distance 3. "
        "Queries a second of CPU time, one thread:"
    )
    rows = [(name, figures["ours"], figures["prototype"]) for name, figures in result.get("exact", {}).items()]
    volatile = result.get("volatile", {})
    rows += [(f"volatile, {name}", volatile[name], None) for name in volatile if name != "prototype"]
    if result.get("faiss"):
        rows.append(("FAISS MultiHash 2x32", result["faiss"], None))
    for name, ours, prototype in rows:
        recall = f"   recall {ours['recall']:.4f}" if "recall" in ours else ""
        beside = f"   prototype {prototype:,.0f}" if prototype else ""
        print(
            f"  {name:22} {ours['queries_per_second']:12,.0f}   {ours['bytes_per_fingerprint']:6.1f} bytes"
            f"   built at {ours['build_per_second'] / 1e6:.1f}M a second{recall}{beside}"
        )
    for name, points in volatile.get("prototype", {}).items():
        print(f"  prototype, {name}: " + ", ".join(f"{recall:.4f} {rate:,.0f}" for recall, rate in points))
    for size, figures in result.get("join", {}).items():
        beside = f", prototype {figures['prototype']:.2f} s" if "prototype" in figures else ""
        print(
            f"  self-join of {size:,}: {figures['ours']['cpu_seconds']:.2f} CPU s, 2 threads "
            f"{figures['2 threads']['wall_seconds']:.2f} s by the clock{beside}; {figures['ours']['pairs']:,} pairs"
        )
    for kernels, figures in result.get("kernels", {}).items():
        print(
            f"  {kernels}: fast {figures['fast']['queries_per_second']:,.0f}, volatile bits "
            f"{figures['volatile-bits']['queries_per_second']:,.0f} queries a second, self-join "
            f"{figures['self-join']['cpu_seconds']:.2f} s"
        )
    for code, figures in result.get("codes", {}).items():
        print(
            f"  {code}: {figures['bits_per_fingerprint']:.2f} bits a fingerprint, "
            f"{figures['decode_nanoseconds']:.2f} ns to decode one"
        )
    print_bars(result["bars"], full)
