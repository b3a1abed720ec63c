"""What the paper computes instead of measuring: its cost models, its Table 1, its Algorithm 2."""

import math

HASH_BITS, DISTANCE = 64, 3
BLOCKS = {"4": 1, "10": 2, "20": 3}  # of tables: how many blocks lead out of g + 3


class Constants:
    """Nanoseconds, as volatile_lab measured them in a collection of one size."""

    def __init__(self, measured):
        self.dependent, self.overlapped = measured["random_read"], measured["overlapped_read"]
        self.compare, self.permute = measured["compare"], measured["permute"]
        self.heap, self.sort = measured["heap"], measured["sort"]


def tables_lookup(design, n, constants):
    """(14) with the header never longer than the collection is deep, as (8) has it: nanoseconds of a query."""
    leading_blocks, depth = BLOCKS[design], math.log2(n)
    tables = math.comb(leading_blocks + DISTANCE, leading_blocks)
    leading = min(leading_blocks * HASH_BITS / (leading_blocks + DISTANCE), depth)
    return tables * (constants.permute + leading * constants.dependent + 2 ** (depth - leading) * constants.compare)


def flips_lookup(flips, header_bits, n, constants, read):
    """(19): nanoseconds of a query."""
    scan = 2 ** max(math.log2(n) - header_bits, 0) * constants.compare
    return flips * (constants.heap * math.log2(max(2, flips)) + read + scan)


def tables_batch(m, n, constants):
    """(17), seconds. Its log2 m is in units of nothing: taken as that of sorting, as in (23)."""
    making = 4 * m * (constants.permute + constants.sort * math.log2(m))
    return (making + n * tables_lookup("4", m, constants)) / 1e9


def flips_batch(m, n, flips, header_bits, constants, read):
    """(23), seconds."""
    making = m * (constants.heap * math.log2(max(2, flips)) + constants.sort * math.log2(m))
    return (making + n * flips_lookup(flips, header_bits, m, constants, read)) / 1e9


def duration(seconds):
    for size, name in ((365.25 * 86400, "years"), (86400, "days"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:,.0f} {name}"
    return f"{seconds:.3g} s"


def all_pairs_seconds(n, pairs_per_second):
    return n * (n - 1) / 2 / pairs_per_second


def enumerate_sets(size, bits, stop_at_two):
    """Algorithm 2 with its line 9 mended; `stop_at_two` mends its loop, too. (sets reached, how many of them again)"""
    root = tuple(range(1, size + 1))
    seen, repeats, waiting = {root}, 0, [root]
    while waiting:
        parent = waiting.pop()
        children = [parent[:-1] + (parent[-1] + 1,)] if parent[-1] < bits else []
        right = None
        for j in range(size - 2, -1, -1):
            gap = parent[j + 1] - parent[j]
            if gap == 2:
                right = parent[:j] + (parent[j] + 1,) + parent[j + 1 :]
                if stop_at_two:
                    break
            elif gap > 2:
                right = None
                break
        for child in [*children, *([right] if right else [])]:
            if child in seen:
                repeats += 1
            else:
                seen.add(child)
                waiting.append(child)
    return len(seen), repeats
