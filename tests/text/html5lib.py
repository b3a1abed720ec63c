#!/usr/bin/env python3
"""Runs the public tokenizer tests of html5lib on the program that prints our tokens.

    html5lib.py PROGRAM FOLDER      exit 77 when FOLDER has no archive of html5lib (ctest: skipped)

Parse errors are not compared: a reader of broken pages has no use for them.
"""
import json
import pathlib
import re
import subprocess
import sys
import tarfile

MODES = {"Data state": 0, "RCDATA state": 1, "RAWTEXT state": 2, "Script data state": 3, "PLAINTEXT state": 4,
         "CDATA section state": 5}
SKIPPED = 77


def find(folder):
    """The archive of html5lib's source."""
    found = sorted(folder.glob("html5lib-*.tar.gz"))
    if not found:
        print(f"html5lib: its tests are not in {folder}; tools/setup.sh references fetches them")
        sys.exit(SKIPPED)
    return found[0]


def load(archive):
    with tarfile.open(archive) as tar:
        for member in tar:
            if re.search(r"testdata/tokenizer/.*\.test$", member.name):
                data = json.load(tar.extractfile(member))
                for test in data.get("tests", data.get("xmlViolationTests", [])):
                    yield pathlib.PurePath(member.name).name, test, "xmlViolationTests" in data


def unescape(value):
    if isinstance(value, str):
        return re.sub(r"\\u([0-9A-Fa-f]{4})", lambda m: chr(int(m[1], 16)), value)
    if isinstance(value, list):
        return [unescape(v) for v in value]
    if isinstance(value, dict):
        return {unescape(k): unescape(v) for k, v in value.items()}
    return value


def to_bytes(text):
    # Two halves of a pair that were escaped apart are one character; a half without the other stays as it is.
    whole = re.sub("[\ud800-\udbff][\udc00-\udfff]",
                   lambda m: m[0].encode("utf-16-le", "surrogatepass").decode("utf-16-le"), text)
    return whole.encode("utf-8", "surrogatepass")


def expected(tokens):
    out = []
    for token in tokens:
        if token == "ParseError":
            continue
        kind, *rest = token
        if kind == "Character":
            if out and out[-1][0] == "text":
                out[-1] = ("text", out[-1][1] + to_bytes(rest[0]))
            else:
                out.append(("text", to_bytes(rest[0])))
        elif kind == "Comment":
            out.append(("comment", to_bytes(rest[0])))
        elif kind == "EndTag":
            out.append(("end", to_bytes(rest[0])))
        elif kind == "StartTag":
            attributes = {to_bytes(k): to_bytes(v) for k, v in rest[1].items()}
            out.append(("start", to_bytes(rest[0]), len(rest) > 2 and rest[2], attributes))
        elif kind == "DOCTYPE":
            name, public, system, correct = rest
            out.append(("doctype", *(None if v is None else to_bytes(v) for v in (name, public, system)), not correct))
        else:
            raise ValueError(kind)
    return out


def printed(lines):
    out = []
    for line in lines:
        kind, *rest = line.split(" ")
        values = [None if v == "-" else bytes.fromhex(v[1:]) if v[0] == "x" else v == "1" for v in rest]
        if kind == "text" and out and out[-1][0] == "text":
            out[-1] = ("text", out[-1][1] + values[0])
        elif kind == "start":
            out.append((kind, values[0], values[1], dict(zip(values[2::2], values[3::2]))))
        else:
            out.append((kind, *values))
    return out


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    cases, stream = [], bytearray()
    for name, test, is_xml in load(find(folder)):
        if is_xml:
            continue  # of a tokenizer that forbids what XML forbids
        if test.get("doubleEscaped"):
            test = {**test, "input": unescape(test["input"]), "output": unescape(test["output"])}
        for state in test.get("initialStates", ["Data state"]):
            page, element = to_bytes(test["input"]), to_bytes(test.get("lastStartTag", ""))
            stream += b"%d %d %d\n" % (MODES[state], len(element), len(page)) + element + page
            cases.append((name, state, test, expected(test["output"])))
    done = subprocess.run([program], input=bytes(stream), capture_output=True, check=True)
    lines, pages = done.stdout.decode().split("\n"), [[]]
    for line in lines[:-1]:
        if line:
            pages[-1].append(line)
        else:
            pages.append([])
    pages.pop()
    if len(pages) != len(cases) or not cases:
        sys.exit(f"html5lib: {len(cases)} pages went in, {len(pages)} came out")
    failed = 0
    for (name, state, test, want), page in zip(cases, pages):
        got = printed(page)
        if got != want:
            failed += 1
            print(f"{name}: {test['description']} ({state})\n  page     {test['input']!r}\n  expected {want}\n  got      {got}")
    print(f"html5lib: {len(cases) - failed} of {len(cases)} pages give the tokens expected")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
