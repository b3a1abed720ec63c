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
        "name": job.name, "tool": job.label, "threads": job.threads, "seconds": job.seconds,
        "cpu_seconds": job.cpu_seconds, "mb_per_s": input_bytes / 1e6 / job.seconds,
        "to_gaoya": gaoya_seconds / job.seconds if gaoya_seconds and not job.limit else None,
        "peak_mb": job.peak_bytes / 1e6, "kept": len(job.kept), "runs": job.runs,
    }
    for name in ("recall", "linked", "precision", "pairs", "planted", "stated"):
        figures[name] = judged.get(name)
    return figures


COLUMNS = [("tool", "tool", "<38"), ("threads", "thr", ">3"), ("seconds", "seconds", ">8.2f"),
           ("cpu_seconds", "cpu s", ">7.2f"), ("mb_per_s", "MB/s", ">7.1f"), ("to_gaoya", "x gaoya", ">8.2f"),
           ("peak_mb", "peak MB", ">8.0f"), ("kept", "kept", ">9,"), ("recall", "recall", ">7.4f"),
           ("linked", "linked", ">7.4f"), ("precision", "precision", ">9.4f")]


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
    about, where, truth = result["corpus"], result["machine"], result["truth"]
    print(f"Corpus: {about['bytes'] / 1e6:.0f} MB, {about['documents']:,} documents: {about['natural']:,} of "
          f"{about['source']} text, {about['woven']:,} woven, {about['copies']:,} planted copies.")
    print(f"Machine: {where['cpu']}, {where['cores']} cores, load {where['load']:.1f} at the start. "
          f"Peers: {result['peers'] or 'none'}. Median of {repeat}, interleaved.")
    if truth:
        print(f"The definition: {truth['pairs']:,} pairs of distinct sets, {truth['kept']:,} documents kept.")
    print()
    print_table(result["rows"])
    print_planted(result["rows"])
    if result["read"]:
        print("\nOne thread, JSONL to ..., MB per second of CPU time:")
    for kernels, rate in result["read"].items():
        print(f"  {kernels:9}" + "".join(f" {name} {rate[name]:.0f}  " for name in ("documents", "hashes", "sets"))
              + f" (sets by the clock {rate['sets_wall']:.0f})")
    if result["growth"]:
        steps = (f"{documents:,} documents {seconds:.2f} s" for documents, seconds in result["growth"])
        print("\nGrowth: " + "   ".join(steps))
    print_bars(result["bars"], full)
    print_checks(result["checks"])
