"""Runs another tool on the pages of a folder: tool.py NAME FOLDER. Prints JSON: texts, and CPU seconds without start-up."""
import json
import sys
import time
from pathlib import Path


def trafilatura():
    from trafilatura import extract
    return lambda html: extract(html, fast=True, include_comments=False) or ""


def resiliparse():
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding
    return lambda html: extract_plain_text(bytes_to_str(html, detect_encoding(html)), main_content=True)


def readability():
    import re

    from lxml.html import fromstring
    from readability import Document

    def text_of(html):
        summary = Document(html.decode("utf-8", "replace")).summary()
        return fromstring(re.sub(r"(</?(p|div|li|h\d|br|tr|td)\b)", r" \1", summary)).text_content()
    return text_of


def main():
    make = {"trafilatura": trafilatura, "resiliparse": resiliparse, "readability-lxml": readability}[sys.argv[1]]
    extract = make()
    texts = []
    pages = [path.read_bytes() for path in sorted(Path(sys.argv[2]).iterdir())]
    extract(pages[0])
    start = time.process_time()
    for html in pages:
        try:
            texts.append(extract(html))
        except Exception:  # a page that the tool cannot read counts as an empty text
            texts.append("")
    json.dump({"texts": texts, "seconds": time.process_time() - start}, sys.stdout)


main()
