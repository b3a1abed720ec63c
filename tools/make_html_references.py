#!/usr/bin/env python3
"""Writes src/text/html_reference_table.cpp: the named character references of HTML, from Python's own list of them.

    tools/make_html_references.py > src/text/html_reference_table.cpp
"""
import html.entities
import textwrap


def main():
    names = {name.rstrip(";") for name in html.entities.html5}
    entries = []
    for name in sorted(names):
        mark = "!" if name in html.entities.html5 else ""
        points = ",".join(f"{ord(c):X}" for c in html.entities.html5[name + ";"])
        entries.append(f"{name}{mark}={points}")
    print("// Made by tools/make_html_references.py; do not edit.")
    print('#include "text/html_references.h"')
    print()
    print("namespace neardup::text {")
    print()
    print("const char* const kHtmlReferences =")
    lines = textwrap.wrap(" ".join(entries), 112, break_on_hyphens=False, break_long_words=False)
    print("\n".join(f'    "{line} "' for line in lines) + ";")
    print()
    print("}  // namespace neardup::text")


if __name__ == "__main__":
    main()
