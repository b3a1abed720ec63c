"""What is cleaned up: three real collections with links, near-copies planted among them, and a real search log.

None of the collections has enough near-duplicates of its own for the paper's question, so copies are planted the way
they come about: a mirror, another header and footer, other dates, a few words, a foreign block. Each copy remembers its
original. Everything is seeded and cached.
"""

import collections
import itertools
import json
import lzma
import os
import random
import re
import shutil
import tarfile

import corpus
import text_sources

RECIPE = 1  # part of the names of cached folders; raise it when the recipe changes
COPIED = 0.2  # share of the originals that have copies: 2.2 on average
MOST_COPIES = 8
# What is done to a copy, and how often.
EDITS = {"nothing": 35, "frame": 20, "dates": 10, "words": 25, "block": 10}
LEAST_WORDS, MOST_WORDS = 0.1, 5.0  # percent of the words that "words" changes; every doubling is as likely
ALSO_LINKED = 0.1  # share of the links to an original that a copy has, too
YEAR = re.compile(r"\b(?:19|20)\d\d\b")
MONTHS = "January February March April May June July August September October November December".split()
QUERY_FILES = [
    "topics.mq.1-10000.txt",
    "topics.mq.10001-20000.txt",
    "topics.mq.20001-60000.txt",
    "topics.terabyte05.efficiency.txt",
]
NEEDED = {
    "wikipedia": ["wpcd_html.tar.xz"],
    "rfc": ["rfc_dev_docs.jsonl.xz", "rfc_dev_edges.tar.xz"],
    "abstracts": ["ir_classic.tar.xz"],
}


class Collection:
    """`path` and `flags` go to neardup; planted: {id of a copy: id of its original}."""

    def __init__(self, name, folder):
        with open(os.path.join(folder, "about.json"), encoding="utf-8") as file:
            about = json.load(file)
        self.name = name
        self.path = os.path.join(folder, about["documents"])
        links = os.path.join(folder, "links.tsv")
        self.flags = ["--links", links] if os.path.exists(links) else []
        prefix = (
            self.path + "/" if os.path.isdir(self.path) else ""
        )  # a file's name is its path as neardup was given it
        self.planted = {prefix + copy: prefix + original for copy, original in about["planted"].items()}
        self.originals, self.what = about["originals"], about["what"]

    @property
    def described(self):
        return f"{self.originals:,} {self.what}, {len(self.planted):,} planted near-copies"

    def true_share(self, clusters, pairs):
        """Of {removed: kept}: copies of one original, or together in one of dedup's clusters, {id: cluster}."""
        true = sum(
            self.planted.get(removed, removed) == self.planted.get(kept, kept)
            or (removed in clusters and clusters[removed] == clusters.get(kept))
            for removed, kept in pairs.items()
        )
        return true / len(pairs) if pairs else 1.0


# ---- planting ---------------------------------------------------------------------------------------------------


def date(rng):
    return f"{rng.randint(1, 28)} {rng.choice(MONTHS)} {rng.randint(1996, 2009)}"


class Planter:
    """Makes near-copies of texts. Of a page only what stands between its tags changes."""

    def __init__(self, rng, texts):
        self.rng, self.weaver = rng, text_sources.Weaver(rng, texts, sample=4_000_000)

    def copies(self):
        """How many copies a document has."""
        if self.rng.random() >= COPIED:
            return 0
        count = 1
        while count < MOST_COPIES and self.rng.random() < 0.55:
            count += 1
        return count

    def plain(self, text):
        return self.edited([text])[0]

    def page(self, page):
        start = re.search(r"(?i)<body[^>]*>", page)
        if not start:
            return page
        parts = re.split(r"(?is)(<script.*?</script>|<style.*?</style>|<!--.*?-->|<[^>]*>)", page[start.end() :])
        parts[::2] = self.edited(parts[::2])
        return page[: start.end()] + "".join(parts)

    def edited(self, texts):
        """The texts of one document; between them stands what no edit touches."""
        rng, edit = self.rng, self.rng.choices(list(EDITS), EDITS.values())[0]
        texts = list(texts)
        if edit == "frame":
            texts[0] = f"Mirrored {date(rng)}\n{texts[0]}"
            texts[-1] += f"\nVisits: {rng.randint(1, 99_999)}. Last change {date(rng)}."
        elif edit == "dates":
            for place in [place for place, text in enumerate(texts) if YEAR.search(text)][:5]:
                texts[place] = YEAR.sub(lambda match: str(int(match[0]) + 1), texts[place], count=1)
            texts[-1] += f"\nLast change {date(rng)}."
        elif edit == "words":
            sizes = [len(text.split()) for text in texts]
            percent = LEAST_WORDS * (MOST_WORDS / LEAST_WORDS) ** rng.random()
            edits = max(1, round(sum(sizes) * percent / 100))
            for place, count in collections.Counter(rng.choices(range(len(texts)), sizes, k=edits)).items():
                share = 100 * min(count, sizes[place]) / sizes[place]
                texts[place] = corpus.edited(texts[place], share, rng, self.weaver.word)
        elif edit == "block":
            block = " ".join(self.weaver.word() for _ in range(rng.randint(10, 40)))
            place = rng.randrange(len(texts))
            ends = [match.end() for match in re.finditer(r"\n", texts[place])] or [len(texts[place])]
            end = rng.choice(ends)
            texts[place] = f"{texts[place][:end]} {block}\n{texts[place][end:]}"
        return texts


def plant_records(folder, records, links, what, seed):
    """Records ({"id", "text", ...}) with copies behind each, and links (from, to), to copies as well, as files."""
    rng = random.Random(seed)
    planter = Planter(rng, [record["text"] for record in records[:: max(1, len(records) // 500)]])
    planted = {}
    copies = collections.defaultdict(list)
    with open(os.path.join(folder, "documents.jsonl"), "w", encoding="utf-8") as file:
        for record in records:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
            for number in range(planter.copies()):
                copy = f"{record['id']}-copy{number + 1}"
                planted[copy] = record["id"]
                copies[record["id"]].append(copy)
                file.write(json.dumps(record | {"id": copy, "text": planter.plain(record["text"])}) + "\n")
    with open(os.path.join(folder, "links.tsv"), "w", encoding="utf-8") as file:
        file.write("from\tto\n")
        for source, target in links:
            sources = [source, *copies[source]]  # a copy cites what its original cites
            targets = [target, *(copy for copy in copies[target] if rng.random() < ALSO_LINKED)]
            file.writelines("\t".join(pair) + "\n" for pair in itertools.product(sources, targets))
    return {"documents": "documents.jsonl", "planted": planted, "originals": len(records), "what": what}


# ---- the collections --------------------------------------------------------------------------------------------


def make_wikipedia(folder, data, seed, limit):
    """Pages as files. Copies are mirrors: they link to their own mirror's pages, where it has them."""
    path, planted, originals = os.path.join(data, "wpcd_html.tar.xz"), {}, 0
    planter = Planter(random.Random(seed), list(itertools.islice(text_sources.web_pages(path), 200)))
    with tarfile.open(path, "r|xz") as archive:
        for member in archive:
            if not member.isfile() or originals == limit:
                continue
            content = archive.extractfile(member).read()
            try:
                encoding, page = "utf-8", content.decode("utf-8")
            except UnicodeDecodeError:
                encoding, page = "latin-1", content.decode("latin-1")
            name = member.name.removeprefix("./")
            originals += 1
            write(os.path.join(folder, "pages", "site", name), content)
            for number in range(planter.copies()):
                copy = planter.page(page).encode(encoding, "ignore")
                write(os.path.join(folder, "pages", f"mirror{number + 1}", name), copy)
                planted[f"mirror{number + 1}/{name}"] = f"site/{name}"
    return {
        "documents": "pages",
        "planted": planted,
        "originals": originals,
        "what": "pages of the 2007 schools' Wikipedia",
    }


def write(path, content):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)


def make_rfc(folder, data, seed, limit):
    with lzma.open(os.path.join(data, "rfc_dev_docs.jsonl.xz"), "rt", encoding="utf-8") as file:
        records = [json.loads(line) for line in itertools.islice(file, limit)]
    records = [{"id": str(each["id"]), "title": each["title"], "text": each["text"]} for each in records]
    known = {record["id"] for record in records}
    with tarfile.open(os.path.join(data, "rfc_dev_edges.tar.xz"), "r:xz") as archive:
        member = next(each for each in archive if os.path.basename(each.name) == "dev_citations.tsv")
        lines = archive.extractfile(member).read().decode().splitlines()
    links = [tuple(line.split("\t")) for line in lines]
    links = [pair for pair in links if len(pair) == 2 and known.issuperset(pair)]
    return plant_records(folder, records, links, f"RFCs with {len(links):,} citations", seed)


def make_abstracts(folder, data, seed, limit):
    """CACM, CISI, Cranfield and MED. Whether a CACM link is to or from is not told: the later one cites the earlier."""
    members = {"cacm/cacm.all": "cacm", "cisi/CISI.ALL": "cisi", "cran/cran.all.1400": "cran", "med/MED.ALL": "med"}
    found = {}
    with tarfile.open(os.path.join(data, "ir_classic.tar.xz"), "r|xz") as archive:
        for entry in archive:
            name = members.get(entry.name.removeprefix("./").removeprefix("ir_classic/data/"))
            if name:
                found[name] = archive.extractfile(entry).read().decode("utf-8", "replace")
    records, links = [], set()
    for name in sorted(found):
        for body in re.split(r"(?m)^\.I ", found[name])[1:]:
            number, _, rest = body.partition("\n")
            fields = re.split(r"(?m)^\.([A-Z])\s*?\n", rest)
            fields = dict(zip(fields[1::2], fields[2::2]))
            text = "\n".join(fields[kind].strip() for kind in "TAW" if fields.get(kind, "").strip())
            records.append({"id": f"{name}-{number.strip()}", "text": text})
            if name != "cacm":
                continue
            for line in fields.get("X", "").splitlines():
                other, kind, own = line.split()
                if kind == "5" and other != own:
                    links.add((max(int(other), int(own)), min(int(other), int(own))))
    records = records[:limit]
    known = {record["id"] for record in records}
    named = [(f"cacm-{source}", f"cacm-{target}") for source, target in sorted(links)]
    named = [pair for pair in named if known.issuperset(pair)]
    what = f"abstracts of CACM, CISI, Cranfield and MED with {len(named):,} citations among CACM's"
    return plant_records(folder, records, named, what, seed)


def make_invented(folder, data, seed, limit):
    """Where there is no real data: invented text, and links to whom others link to already."""
    rng = random.Random(seed)
    texts = text_sources.pieces(text_sources.invented_text(rng, 2_000_000), 1_500)
    records = [{"id": str(number), "text": text} for number, text in enumerate(itertools.islice(texts, limit or 1_000))]
    links, chosen = [], [0]
    for number in range(1, len(records)):
        for target in {rng.choice(chosen) for _ in range(5)}:
            links.append((str(number), str(target)))
            chosen.append(target)
        chosen.append(number)
    return plant_records(folder, records, links, f"invented texts with {len(links):,} invented links", seed)


MAKERS = {"wikipedia": make_wikipedia, "rfc": make_rfc, "abstracts": make_abstracts, "invented": make_invented}


def is_there(name, data):
    return name not in NEEDED or bool(data) and all(os.path.exists(os.path.join(data, each)) for each in NEEDED[name])


def make(name, data, cache, limit, say, seed=1):
    """The collection, made once; `limit`: only so many originals (None: all)."""
    folder = os.path.join(cache, f"pi-{RECIPE}-{name}" + (f"-{limit}" if limit else ""))
    if not os.path.exists(os.path.join(folder, "about.json")):
        say(f"making {folder}")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        about = MAKERS[name](folder, data, seed, limit)
        with open(os.path.join(folder, "about.json"), "w", encoding="utf-8") as file:
            json.dump(about, file)
    return Collection(name, folder)


# ---- the log ----------------------------------------------------------------------------------------------------


def make_log(collection, data, cache, say):
    """(path, what it is) of a log, a search a line: of the TREC tracks, else word pairs of the collection's texts."""
    archive = os.path.join(data or "", "queries.tar.xz")
    if collection.name == "invented" or not os.path.exists(archive):
        path = os.path.join(os.path.dirname(collection.path), "log.txt")
        if not os.path.exists(path):
            save(path, invented_searches(collection.path))
        return path, "searches made of words of the documents"
    path = os.path.join(cache, f"pi-{RECIPE}-log.txt")
    if not os.path.exists(path):
        say(f"making {path}")
        save(path, real_searches(archive))
    return path, "searches of the TREC Million Query and Terabyte 2005 tracks"


def save(path, searches):
    with open(path + ".part", "w", encoding="utf-8") as file:
        file.writelines(search + "\n" for search in searches)
    os.rename(path + ".part", path)


def real_searches(path):
    """`id:query`, in one of the files `id:priority:query`."""
    found = {}
    with tarfile.open(path, "r:xz") as archive:
        for member in archive:
            name = os.path.basename(member.name)
            if name in QUERY_FILES:
                found[name] = archive.extractfile(member).read().decode("utf-8", "replace").splitlines()
    for name in QUERY_FILES:
        before = 2 if name == "topics.mq.20001-60000.txt" else 1
        yield from (line.split(":", before)[before] for line in found[name] if line.count(":") >= before)


def invented_searches(path):
    rng = random.Random(3)
    with open(path, encoding="utf-8") as file:
        texts = [json.loads(line)["text"].split() for line in file]
    queries = []
    for _ in range(3_000):
        words = rng.choice(texts)
        place = rng.randrange(max(1, len(words) - 2))
        queries.append(" ".join(re.findall(r"\w+", " ".join(words[place : place + rng.randint(1, 3)]))) or "nothing")
    totals = list(itertools.accumulate(1 / (rank + 3) for rank in range(len(queries))))
    return queries + rng.choices(queries, cum_weights=totals, k=20_000)
