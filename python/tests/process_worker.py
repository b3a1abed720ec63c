"""What processes import that were not forked."""

import neardup
from conftest import make_corpus


def kept(seed):
    return neardup.deduplicate(make_corpus(500, seed)).kept_rows.tolist()
