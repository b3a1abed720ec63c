"""Tables as text."""


def table(title, header, rows):
    """The first column to the left, the others to the right; columns as wide as they need to be."""
    cells = [list(map(str, row)) for row in [header, *rows]]
    widths = [max(len(row[column]) for row in cells if column < len(row)) for column in range(len(header))]
    print(f"\n{title}")
    for row in cells:
        print(
            "  "
            + "  ".join(
                cell.ljust(width) if place == 0 else cell.rjust(width)
                for place, (cell, width) in enumerate(zip(row, widths))
            )
        )
