#!/usr/bin/env python3
"""Compares the authority that `neardup clean` writes with PageRank as networkx computes it.

    pagerank.py NEARDUP [DATA]      exit 77 without networkx (ctest: skipped)

A random graph with everything that real ones have, and two real ones when the archives are in DATA (default: ../shared/data
beside the repository).
"""
import json
import lzma
import math
import pathlib
import random
import subprocess
import sys
import tarfile
import tempfile

SKIPPED = 77
try:
    import networkx
    import scipy  # noqa: F401  networkx computes with it
except ImportError:
    print("pagerank: networkx is not installed (tools/setup.sh python)")
    sys.exit(SKIPPED)
LARGEST_DIFFERENCE = 1e-9


def random_graph():
    """A few popular pages, self-links, repeated links, pages that link to nobody, and links from and to nowhere."""
    numbers = random.Random(20)
    nodes = [f"page {i}" for i in range(3000)]
    links = []
    for _ in range(20000):
        source = numbers.randrange(len(nodes))
        if source % 7 == 0:
            continue
        links.append((nodes[source], nodes[int(len(nodes) * numbers.random() ** 3)]))
    links += links[:500] + [(node, node) for node in nodes[:50]]
    links += [(nodes[1], f"unknown {i}") for i in range(100)] + [(f"unknown {i}", nodes[2]) for i in range(100)]
    numbers.shuffle(links)
    return nodes, links


def members(archive):
    with lzma.open(archive) as file, tarfile.open(fileobj=file) as tar:
        return {pathlib.PurePath(m.name).name: tar.extractfile(m).read().decode("utf-8", "replace") for m in tar if m.isfile()}


def hollins(data):
    files = members(data / "hollins.tar.xz")
    nodes = [line.split()[0] for line in files["links.dat"].splitlines()[1:] if line.strip()]
    return nodes, [tuple(line.split()) for line in files["hollins.dat"].splitlines()[1:] if line.strip()]


def wpcd(data):
    files = members(data / "wpcd_edges.tar.xz")
    nodes = [line.split("\t")[0] for line in files["pages.tsv"].splitlines() if line.strip()]
    return nodes, [tuple(line.split("\t")) for line in files["links.tsv"].splitlines() if line.strip()]


def neardup_scores(program, nodes, links, folder):
    documents, log, edges, out = (folder / name for name in ("documents.jsonl", "queries.txt", "links.tsv", "out"))
    with documents.open("w", encoding="utf-8") as file:
        for node in nodes:
            file.write(json.dumps({"id": node, "text": f"text of {node}"}) + "\n")
    log.write_text("text\n", encoding="utf-8")
    edges.write_text("".join(f"{a}\t{b}\n" for a, b in links), encoding="utf-8")
    command = [program, "clean", str(documents), "--queries", str(log), "--links", str(edges), "-o", str(out)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"pagerank: {' '.join(command)}\nexit code {done.returncode}\n{done.stderr[-2000:]}")
    lines = (out / "authority.tsv").read_text(encoding="utf-8").splitlines()
    if lines[0] != "id\tscore":
        sys.exit(f"pagerank: authority.tsv starts with {lines[0]!r}")
    return {name: float(score) for name, score in (line.split("\t") for line in lines[1:])}


def networkx_scores(nodes, links):
    graph = networkx.DiGraph()
    graph.add_nodes_from(nodes)
    known = set(nodes)
    graph.add_edges_from((a, b) for a, b in links if a != b and a in known and b in known)
    return networkx.pagerank(graph, alpha=0.85, tol=1e-14, max_iter=1000), graph.number_of_edges()


def compare(name, program, nodes, links):
    with tempfile.TemporaryDirectory() as folder:
        ours = neardup_scores(program, nodes, links, pathlib.Path(folder))
    theirs, edges = networkx_scores(nodes, links)
    if ours.keys() != theirs.keys():
        print(f"{name}: {len(ours)} documents have a score, {len(theirs)} should")
        return False
    difference = max(abs(ours[node] - theirs[node]) for node in theirs)
    total = math.fsum(ours.values())
    good = difference <= LARGEST_DIFFERENCE and abs(total - 1) <= 1e-12
    print(f"{name}: {len(nodes)} documents, {edges} links, largest difference {difference:.2g}, sum 1{total - 1:+.2g}"
          f"{'' if good else ': WRONG'}")
    return good


def main():
    program = sys.argv[1]
    data = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else pathlib.Path(__file__).resolve().parents[3] / "shared" / "data"
    good = compare("random", program, *random_graph())
    for name, archive, read in (("hollins", "hollins.tar.xz", hollins), ("wpcd", "wpcd_edges.tar.xz", wpcd)):
        if (data / archive).is_file():
            good = compare(name, program, *read(data)) and good
        else:
            print(f"{name}: skipped, there is no {data / archive}")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
