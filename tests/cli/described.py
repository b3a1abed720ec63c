#!/usr/bin/env python3
"""Holds the manual and the completions against --help: each must know exactly the flags that the verbs have.

    described.py PROGRAM

Shells and manual readers that are not installed are passed over, with a word.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
WORKING = ("dedup", "pairs", "why", "compare", "fingerprint", "match", "clean")
TELLING = ("help", "man", "completions")
failures = []


def neardup(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=True).stdout


def expect(what, found, wanted):
    if found != wanted:
        failures.append(f"{what}:\n  found    {found!r}\n  expected {wanted!r}")


def flags_in_help(verb):
    """{"--output": "-o", "--format": "", ...}"""
    found = re.findall(r"^  (?:(-\w), |    )(--[a-z][a-z0-9-]*)", neardup(verb, "--help"), re.MULTILINE)
    return {long: short for short, long in found}


def names(flags):
    return sorted(flags) + sorted(short for short in flags.values() if short)


def check_manual(manual, flags):
    sections = re.split(r"^\.SS neardup (\w+)$", manual.split(".SH VERBS\n")[1].split("\n.SH ")[0], flags=re.MULTILINE)
    described = dict(zip(sections[1::2], sections[2::2]))
    expect("verbs of the manual", sorted(described), sorted(WORKING + TELLING))
    for verb in WORKING:
        labels = re.findall(r"^\.TP\n(.*)$", described[verb], re.MULTILINE)
        words = [word.replace("\\-", "-") for label in labels for word in re.findall(r"\\fB((?:\\-|[a-z0-9])+)\\fR", label)]
        expect(f"flags of {verb} in the manual", sorted(words), sorted(names(flags[verb])))
    for heading in ("NAME", "SYNOPSIS", "DESCRIPTION", "EXIT STATUS", "ENVIRONMENT", "FILES"):
        if f".SH {heading}\n" not in manual:
            failures.append(f"the manual has no section {heading}")


def lint_manual(path):
    checkers = (("mandoc", ["-T", "lint", "-W", "warning"]), ("groff", ["-man", "-ww", "-z", "-t"]))
    for checker, options in checkers:
        if not shutil.which(checker):
            print(f"{checker} is not installed: passed over")
            continue
        done = subprocess.run([checker, *options, path], capture_output=True, text=True, check=False)
        # The page bears no date: it is made anew with every build, and builds shall not differ.
        said = [line for line in (done.stdout + done.stderr).splitlines() if "missing date" not in line]
        expect(f"what {checker} says of the manual", said, [])


def bash_flags(script, verb):
    section = script.split("_neardup_flags() {")[1].split("esac")[0]
    return re.search(rf"^ +{verb}\) offered='(.*)' ;;$", section, re.MULTILINE).group(1).split()


def zsh_flags(script, verb):
    section = re.search(rf"^    {verb}\)\n(.*?);;$", script, re.MULTILINE | re.DOTALL).group(1)
    found = []
    for line in section.splitlines()[1:]:
        both = re.match(r" +'\(-\w --[a-z0-9-]+\)'\{(-\w)\+?,(--[a-z0-9-]+)=?\}", line)
        one = re.match(r" +'\*?(--[a-z0-9-]+)=?'", line)
        found += both.groups() if both else one.groups() if one else []
    return found


def fish_flags(script, verb):
    found = []
    for line in script.splitlines():
        if f"-n '__neardup_verb {verb}'" in line:
            found += [f"-{short}" for short in re.findall(r" -s (\w) ", line)]
            found += [f"--{long}" for long in re.findall(r" -l ([a-z0-9-]+)", line.split(" -d ")[0])]
    return found


def complete_in_bash(script, folder, *words):
    code = f"source {script}; COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}; _neardup; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    done = subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=False, cwd=folder)
    if done.stderr:
        failures.append(f"bash says while completing {words}: {done.stderr}")
    return sorted(done.stdout.split())


def check_bash(script, folder):
    (folder / "pages.jsonl").touch()
    (folder / "page two.csv").touch()
    cases = (
        (("neardup", "ded"), ["dedup"]),
        (("neardup", "dedup", "--for"), ["--force", "--format"]),
        (("neardup", "match", "--for"), ["--force"]),
        (("neardup", "dedup", "--format", "js"), ["json", "jsonl"]),
        (("neardup", "dedup", "--format", "=", "cs"), ["csv"]),
        (("neardup", "dedup", "--format="), None),
        (("neardup", "dedup", "pages.jsonl", "--measure", "d"), ["dice"]),
        (("neardup", "dedup", "--features", "words", ":"), ["3", "5"]),
        (("neardup", "dedup", "--keep", "lo"), ["longest"]),
        (("neardup", "dedup", "--on-bad-record", "q"), ["quarantine"]),
        (("neardup", "pairs", "--on-bad-record", "q"), []),
        (("neardup", "dedup", "pag"), ["page", "pages.jsonl", "two.csv"]),
        (("neardup", "dedup", "-o", "pages"), ["pages.jsonl"]),
        (("neardup", "dedup", "--threshold", "p"), []),
        (("neardup", "help", "exi"), ["exit-codes"]),
        (("neardup", "help", "ded"), ["dedup"]),
        (("neardup", "completions", "''"), ["bash", "fish", "zsh"]),
    )
    for words, wanted in cases:
        found = complete_in_bash(script, folder, *words)
        if wanted is not None:
            expect(f"bash completes {' '.join(words)}", found, wanted)


def check_zsh(script):
    if not shutil.which("zsh"):
        print("zsh is not installed: passed over")
        return
    done = subprocess.run(["zsh", "-n", script], capture_output=True, text=True, check=False)
    expect("zsh reads its script", done.stderr, "")
    done = subprocess.run(["zsh", "-fc", f"autoload -Uz compinit; compinit -D -u; source {script}; print $_comps[neardup]"],
                          capture_output=True, text=True, check=False)
    expect("zsh takes it as the completion of neardup", (done.stdout.strip(), done.stderr), ("_neardup", ""))


def check_fish(script, folder):
    if not shutil.which("fish"):
        print("fish is not installed: passed over")
        return
    home = dict(os.environ, HOME=str(folder), XDG_CONFIG_HOME=str(folder), XDG_DATA_HOME=str(folder))
    cases = (("neardup ded", ["dedup"]), ("neardup dedup --forc", ["--force"]), ("neardup dedup --format js", ["json", "jsonl"]),
             ("neardup help exi", ["exit-codes"]), ("neardup pairs --on-bad-record q", []))
    for line, wanted in cases:
        done = subprocess.run(["fish", "--no-config", "-c", f"source {script}; complete -C '{line}'"], capture_output=True, text=True,
                              check=False, env=home)
        found = sorted(candidate.split("\t")[0] for candidate in done.stdout.splitlines())
        expect(f"fish completes {line}", (found, done.stderr), (wanted, ""))


def main():
    flags = {verb: flags_in_help(verb) for verb in WORKING}
    for verb, found in flags.items():
        if len(found) < 10:
            failures.append(f"only {len(found)} flags were found in the help of {verb}")
    manual = neardup("man")
    check_manual(manual, flags)
    with tempfile.TemporaryDirectory(prefix="neardup-described-") as name:
        folder = pathlib.Path(name)
        (folder / "neardup.1").write_text(manual, encoding="utf-8")
        lint_manual(folder / "neardup.1")
        scripts = {}
        for shell, flags_of in (("bash", bash_flags), ("zsh", zsh_flags), ("fish", fish_flags)):
            text = neardup("completions", shell)
            scripts[shell] = folder / f"neardup.{shell}"
            scripts[shell].write_text(text, encoding="utf-8")
            for verb in WORKING:
                expect(f"flags of {verb} in {shell}", sorted(flags_of(text, verb)), sorted(names(flags[verb])))
        work = folder / "work"
        work.mkdir()
        check_bash(scripts["bash"], work)
        check_zsh(scripts["zsh"])
        check_fish(scripts["fish"], work)
    for verb in WORKING + TELLING:
        expect(f"neardup help {verb}", neardup("help", verb), neardup(verb, "--help"))
    expect("neardup help", neardup("help"), neardup("--help"))
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
