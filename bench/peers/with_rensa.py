"""rensa: its own deduplicator. `grams` feeds it word 5-grams; `readme` is the recipe of its README: text.split()."""
from rensa import RMinHashDeduplicator

import shared

CHUNK = 20_000

options = shared.arguments(recipes=("grams", "readme"))
tokens = shared.word_grams if options.recipe == "grams" else str.split
lines, texts = shared.read(options)
dedup = RMinHashDeduplicator(threshold=0.8, num_perm=128, use_lsh=True)
keep = dedup.add_pairs((str(row), tokens(text)) for row, text in enumerate(texts))
shared.write_kept(options, lines, keep)

if options.links:
    links = []
    removed = [row for row, kept in enumerate(keep) if not kept]
    for start in range(0, len(removed), CHUNK):
        rows = removed[start:start + CHUNK]
        for row, found in zip(rows, dedup.get_duplicate_sets([tokens(texts[row]) for row in rows])):
            links += [(int(other), row) for other in found if int(other) != row]
    shared.write_links(options, links)
