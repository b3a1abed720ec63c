#!/usr/bin/env python3
"""How good and how fast is the main text that neardup extracts, beside other tools?

    bench/main_text/run.py PROGRAM [--data FOLDER] [--venv FOLDER] [--speed PROGRAM] [--only TOOL,...]

PROGRAM is neardup. FOLDER contains aeb.tar.xz and html_cleaneval_dev.tar.xz (default: ../shared/data beside the
repository). Other tools (trafilatura, resiliparse, readability-lxml) are installed from the Python package index
into the virtual environment (default: build/main_text_venv) when it does not exist. --speed names the benchmark `html`
(build/release/bench/html), which measures one thread without start-up.

Prints a table: on aeb precision, recall and F1 of bags of four-word shingles (means over pages, F1 of the means), on
the half that is held out from tuning, on CleanEval the mean F1 of the longest common subsequence of words, and MB of
page per second of CPU time; then ratios to neardup.
"""
import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import page_sets

HERE = Path(__file__).resolve().parent
TOOLS = ("trafilatura", "resiliparse", "readability-lxml")


def texts_of_neardup(program, pages, *flags):
    with tempfile.TemporaryDirectory() as scratch:
        names, folder = {}, Path(scratch) / "pages"
        folder.mkdir()
        for i, page in enumerate(pages):
            path = folder / f"{i:05}.html"
            path.write_bytes(page.html)
            names[str(path)] = page.name
        out = Path(scratch) / "texts.jsonl"
        subprocess.run([program, "text", folder, "-o", out, "--quiet", *flags], check=True)
        lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
        return {names[line["id"]]: line["text"] for line in lines}


def texts_of_tool(python, tool, pages):
    """Texts, and the seconds of CPU time that the tool took for them after a first page."""
    with tempfile.TemporaryDirectory() as scratch:
        for i, page in enumerate(pages):
            (Path(scratch) / f"{i:05}.html").write_bytes(page.html)
        done = subprocess.run([python, HERE / "tool.py", tool, scratch], check=True, stdout=subprocess.PIPE)
        result = json.loads(done.stdout)
    return {page.name: text for page, text in zip(pages, result["texts"])}, result["seconds"]


def make_venv(folder):
    if not (folder / "bin/python").exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        pip = [folder / "bin/python", "-m", "pip", "--quiet", "install"]
        subprocess.run([*pip, "--upgrade", "pip"], check=True)
        subprocess.run([*pip, *TOOLS, "lxml_html_clean"], check=True)
    return folder / "bin/python"


def speed(program, pages):
    with tempfile.TemporaryDirectory() as scratch:
        for i, page in enumerate(pages):
            (Path(scratch) / f"{i:05}.html").write_bytes(page.html)
        files = sorted(Path(scratch).iterdir())
        done = subprocess.run([program, *files, "--seconds", "2"], check=True, stdout=subprocess.PIPE)
        return json.loads(done.stdout)["main"]


def row(aeb, cleaneval, texts, rate):
    pairs = [(page.gold, texts[page.name]) for page in aeb]
    held_out = [(page.gold, texts[page.name]) for page in aeb if page.held_out]
    p, r, f1 = page_sets.mean_shingle_f1(pairs)
    clean = page_sets.mean_subsequence_f1([(page.gold, texts[page.name]) for page in cleaneval])
    return {"precision": p, "recall": r, "f1": f1, "held_out": page_sets.mean_shingle_f1(held_out)[2],
            "cleaneval": clean, "rate": rate}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--data", type=Path, default=HERE.parents[2] / "shared/data")
    parser.add_argument("--venv", type=Path, default=HERE.parents[1] / "build/main_text_venv")
    parser.add_argument("--speed")
    parser.add_argument("--only", default=",".join(TOOLS), help="other tools to run; empty: none")
    options = parser.parse_args()
    if not (options.data / "aeb.tar.xz").exists():
        sys.exit(f"{options.data}: aeb.tar.xz is missing (--data names the folder)")
    aeb, cleaneval = page_sets.load_aeb(options.data), page_sets.load_cleaneval(options.data)
    pages = aeb + cleaneval
    megabytes = sum(len(page.html) for page in pages) / 1e6
    rate = speed(options.speed, pages) if options.speed else None
    rows = {"neardup": row(aeb, cleaneval, texts_of_neardup(options.program, pages), rate),
            "neardup --html all": row(aeb, cleaneval, texts_of_neardup(options.program, pages, "--html", "all"), None)}
    for tool in filter(None, options.only.split(",")):
        texts, seconds = texts_of_tool(make_venv(options.venv), tool, pages)
        rows[tool] = row(aeb, cleaneval, texts, megabytes / seconds)
    print(f"{len(aeb)} + {len(cleaneval)} pages, {megabytes:.1f} MB")
    print("| tool | aeb P / R / F1 | F1, held out | CleanEval | MB/s of CPU | neardup's F1 : this | speed : this |")
    print("|---|---|---|---|---|---|---|")
    ours = rows["neardup"]
    for name, one in rows.items():
        shown = f"{one['rate']:.0f}" if one["rate"] else ""
        faster = f"{ours['rate'] / one['rate']:.1f}" if ours["rate"] and one["rate"] else ""
        print(f"| {name} | {one['precision']:.3f} / {one['recall']:.3f} / {one['f1']:.4f} | {one['held_out']:.4f} | "
              f"{one['cleaneval']:.4f} | {shown} | {ours['f1'] / one['f1']:.3f} | {faster} |")


if __name__ == "__main__":
    main()
