"""What processes import that were not forked."""

from conftest import make_corpus

import neardup


def kept(seed):
    return neardup.deduplicate(make_corpus(500, seed)).kept_rows.tolist()
