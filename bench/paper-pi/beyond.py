"""What the paper leaves open: other simhashes, marking in parallel, other orders of queries, reach, and gain."""

REACH = [10, 100, 500, 1_000, 2_000, 5_000]
# What the simhash is made of; the first is the paper's.
SIMHASHES = {
    "words": [],
    "words, binary": ["--weights", "binary"],
    "words:2": ["--simhash-features", "words:2"],
    "words:5": ["--simhash-features", "words:5"],
}


class Beyond:
    """`truths`: by collection and rule, {id: cluster} and the number of removed documents of dedup."""

    def __init__(self, paper, collections, truths):
        self.paper, self.collections, self.truths = paper, collections, truths

    def show(self, tables):
        self.simhashes()
        self.modes()
        self.selection()
        self.reach()
        self.gains(tables)

    def modes(self):
        print(f"\nSequential against marked, k = 3, {self.paper.queries:,} queries: removed")
        print(f"  {'':12}{'rule':16}{'depth':>6}{'sequential':>12}{'marked':>9}{'both':>9}")
        for collection in self.collections:
            for rule in self.paper.rules:
                for depth in self.paper.depths:
                    run = self.paper.clean(
                        collection, "--top-queries", str(self.paper.queries), "--compare-modes", depth=depth, rule=rule
                    )
                    found = run.record["modes"]
                    self.paper.results[f"{collection.name}, modes, {rule}, depth {depth}"] = found
                    self.paper.expect(
                        found["removed_sequential"] == len(run.pairs), f"{collection.name}: modes do not add up"
                    )
                    print(
                        f"  {collection.name:12}{rule:16}{depth:6,}{found['removed_sequential']:12,}"
                        f"{found['removed_marked']:9,}{found['removed_by_both']:9,}"
                    )

    def simhashes(self):
        """How far distance alone can be trusted, and what the user's definition adds."""
        depth = self.paper.depths[0]
        print(
            f"\nOther simhashes, k = 3, depth {depth:,}: removed by distance alone, share really near, removed verified"
        )
        print(f"  {'':12}" + "".join(f"{name:>26}" for name in SIMHASHES))
        for collection in self.collections:
            cells = []
            for name, flags in SIMHASHES.items():
                top = ["--top-queries", str(self.paper.queries), *flags]
                alone, verified = (
                    self.paper.clean(collection, *top, depth=depth, rule=rule) for rule in self.paper.rules
                )
                share = collection.true_share(self.truths[collection.name]["verified"][0], alone.pairs)
                cells.append(f"{len(alone.pairs):,} {share:.3f} {len(verified.pairs):,}")
                self.paper.results[f"{collection.name}, {name}"] = {
                    "distance alone": len(alone.pairs),
                    "really near": share,
                    "verified": len(verified.pairs),
                }
            print(f"  {collection.name:12}" + "".join(f"{cell:>26}" for cell in cells))

    def selection(self):
        """Removed against queries processed, both ways to order them."""
        marks = [count for count in REACH if count <= self.paper.queries]
        depth = self.paper.depths[-1]
        print(
            f"\nFrequency against coverage, the {self.paper.choose:,} top queries, k = 3, verified, depth {depth}: "
            f"removed after so many queries, and near-duplicates in the first ten results of all those queries"
        )
        print(f"  {'':12}{'':11}" + "".join(f"{mark:>8,}" for mark in marks) + f"{'before':>10}{'after':>9}")
        for collection in self.collections:
            curves = {}
            for how in ("frequency", "coverage"):
                flags = [
                    "--top-queries",
                    str(self.paper.choose),
                    "--budget-queries",
                    str(self.paper.queries),
                    "--select",
                    how,
                ]
                run = self.paper.clean(collection, *flags, depth=depth)
                shown = run.record["first_ten_results"]
                counts = [run.after(mark) for mark in marks]
                print(
                    f"  {collection.name:12}{how:11}"
                    + "".join(f"{count:8,}" for count in counts)
                    + f"{shown['before']['duplicate_share']:10.2%}{shown['after']['duplicate_share']:9.2%}"
                )
                step = max(1, len(run.removed) // 100)
                curves[how] = [(queries, run.after(queries)) for queries in range(0, len(run.removed) + 1, step)]
                self.paper.results[f"{collection.name}, {how}"] = {
                    "removed": dict(zip(marks, counts)),
                    "first_ten": shown,
                }
            self.paper.draw(
                f"selection-{collection.name}",
                f"{collection.name}: frequency against coverage",
                "queries processed",
                "removed",
                curves,
                [f"k = 3, verified, depth {depth}", collection.described],
            )

    def reach(self):
        marks = [count for count in REACH if count <= self.paper.choose]
        print("\nShare of all near-duplicates (what dedup removes by the definition) that the top queries reach, k = 3")
        print(f"  {'':12}{'rule':16}{'depth':>6}{'dedup':>8}" + "".join(f"{mark:>8,}" for mark in marks))
        for collection in self.collections:
            for rule in self.paper.rules:
                _, whole = self.truths[collection.name][rule]
                for depth in self.paper.depths:
                    run = self.paper.clean(collection, "--top-queries", str(marks[-1]), depth=depth, rule=rule)
                    shares = [run.after(mark) / max(1, whole) for mark in marks]
                    self.paper.expect(
                        len(run.pairs) <= whole, f"{collection.name}: clean removes more than there is ({rule})"
                    )
                    self.paper.results[f"{collection.name}, reach, {rule}, depth {depth}"] = dict(zip(marks, shares))
                    print(
                        f"  {collection.name:12}{rule:16}{depth:6,}{whole:8,}"
                        + "".join(f"{share:8.3f}" for share in shares)
                    )

    def gains(self, tables):
        print(f"\nThe first ten results of the {self.paper.queries:,} queries, weighted by frequency, k = 3")
        print(f"  {'':12}{'rule':16}{'depth':>6}{'near-duplicates':>22}{'distinct results':>22}{'gained in all':>15}")
        for (name, depth), table in tables.items():
            for rule, runs in table.items():
                shown = runs[3].record["first_ten_results"]
                before, after = shown["before"], shown["after"]
                shares = f"{before['duplicate_share']:.2%} -> {after['duplicate_share']:.2%}"
                distinct = f"{before['distinct_results']:.2f} -> {after['distinct_results']:.2f}"
                print(
                    f"  {name:12}{rule:16}{depth:6,}{shares:>22}{distinct:>22}{shown['distinct_results_gained']:15,.0f}"
                )
                self.paper.results[f"{name}, gain, {rule}, depth {depth}"] = shown
