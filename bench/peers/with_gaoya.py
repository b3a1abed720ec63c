"""gaoya: minhash of word 5-grams, 20 bands of 5 rows, tokenised and hashed in Rust on RAYON_NUM_THREADS threads."""
from gaoya.minhash import MinHashStringIndex

import shared

CHUNK = 50_000

options = shared.arguments()
lines, texts = shared.read(options)
index = MinHashStringIndex(hash_size=32, jaccard_threshold=0.8, num_bands=20, band_size=5, analyzer="word",
                           lowercase=True, ngram_range=(5, 5), id_container="smallvec")
index.par_bulk_insert_docs(list(range(len(texts))), texts)

keep = [True] * len(texts)
links = []
for start in range(0, len(texts), CHUNK):
    for row, found in enumerate(index.par_bulk_query(texts[start:start + CHUNK]), start):
        for other in found:
            if other < row:
                if keep[other]:
                    keep[row] = False
                if options.links:
                    links.append((other, row))
shared.write_kept(options, lines, keep)
shared.write_links(options, links)
