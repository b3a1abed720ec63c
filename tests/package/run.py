#!/usr/bin/env python3
"""Makes the packages, installs the Debian one, unpacks the tarball, runs both, and takes them away again.

    run.py --cmake CMAKE --cpack CPACK --build BUILD_FOLDER

Nothing outside a temporary folder changes: the package goes into a root of its own, whose list of installed packages is
a copy of this machine's, so that dpkg checks its dependencies for real.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

SKIPPED = 77
# Parts of the C library, and what the kernel maps into every program.
SYSTEM = re.compile(r"^(linux-vdso|ld-linux|/lib64/ld-linux|libc\.|libm\.|libpthread\.|libdl\.|librt\.|libresolv\.)")
RECORDS = '{"id":"a","text":"one two three four five six"}\n{"id":"b","text":"one two three four five six"}\n{"id":"c","text":"else"}\n'
KEPT = RECORDS.splitlines(keepends=True)[0] + RECORDS.splitlines(keepends=True)[2]
SHARED = ("share/man/man1/neardup.1", "share/bash-completion/completions/neardup", "share/zsh/site-functions/_neardup",
          "share/fish/vendor_completions.d/neardup.fish", "share/doc/neardup/LICENSE", "share/doc/neardup/docs/formats.md")


def run(*command, **options):
    """Runs a command, shows its output when it fails, and returns its standard output."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        sys.exit(f"failed: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def check(condition, what):
    if not condition:
        sys.exit(f"not so: {what}")


def check_program(program, work, environment):
    check(run(program, "--version", env=environment).startswith("neardup "), f"{program} says its version")
    (work / "in.jsonl").write_text(RECORDS, encoding="utf-8")
    kept = run(program, "dedup", work / "in.jsonl", "--quiet", "-o", "-", env=environment)
    check(kept == KEPT, f"{program} keeps one of each, not {kept!r}")


def as_root(command):
    return command if os.geteuid() == 0 else ["fakeroot", *command]


def install_debian(package, work):
    """Into a root of its own; returns it and the command that dpkg is called with there."""
    root = work / "root"
    admin = root / "var/lib/dpkg"
    for folder in ("info", "updates", "triggers", "parts"):
        (admin / folder).mkdir(parents=True)
    shutil.copy("/var/lib/dpkg/status", admin / "status")
    (admin / "available").touch()
    dpkg = ["dpkg", f"--root={root}", "--force-not-root", "--force-script-chrootless", "--log=/dev/null"]
    run(*as_root([*dpkg, "--install", package]))
    return root, as_root(dpkg)


def check_plugin(packages, root, dpkg):
    """The package of the Arrow plugin, where it could be built: beside the program's own, which then finds it."""
    for package in packages.glob("neardup-arrow_*.deb"):
        run(*dpkg, "--install", package)
        check("Arrow " in run(root / "usr/bin/neardup", "--version", "--verbose"), "the program finds the installed plugin")
        check((root / "usr/share/doc/neardup-arrow/licenses/LICENSE.txt").is_file(), "the licence of Arrow comes with it")
        run(*dpkg, "--purge", "neardup-arrow")
        check("plugins: none" in run(root / "usr/bin/neardup", "--version", "--verbose"), "and goes without it")
        print(f"{package.name}: {package.stat().st_size >> 10} KiB")


def check_debian(packages, work):
    package = next(packages.glob("neardup_*_*.deb"))
    fields = {name: run("dpkg-deb", "--field", package, name).strip() for name in ("Package", "Version", "Architecture", "Depends")}
    check(fields["Package"] == "neardup" and package.name == f"neardup_{fields['Version']}_{fields['Architecture']}.deb", fields)
    for library in ("libc6", "libstdc++6", "libicu", "libtbb", "libarchive13", "libre2", "libzstd1"):
        check(library in fields["Depends"], f"{library} is among the dependencies: {fields['Depends']}")
    check("-dev" not in fields["Depends"], "the program needs no headers")
    root, dpkg = install_debian(package, work)
    for path in SHARED:
        check((root / "usr" / path).is_file(), f"{path} is installed")
    check_program(root / "usr/bin/neardup", work, dict(os.environ))
    check_plugin(packages, root, dpkg)
    run(*dpkg, "--purge", "neardup")
    left = [path for path in (root / "usr").rglob("*") if "neardup" in str(path.relative_to(root))] if (root / "usr").exists() else []
    check(not left, f"nothing is left behind: {left}")

    library = next(packages.glob("libneardup-dev_*.deb"))
    contents = run("dpkg-deb", "--contents", library)
    for path in ("usr/lib/libneardup.a", "usr/include/neardup/dedup.h", "usr/lib/pkgconfig/neardup.pc", "cmake/neardup/neardupConfig.cmake"):
        check(path in contents, f"{path} is in {library.name}")
    print(f"{package.name}: {package.stat().st_size >> 10} KiB; {fields['Depends']}")


def check_tarball(packages, work):
    tarball = next(packages.glob("neardup-*.tar.gz"))
    check(re.fullmatch(r"neardup-[0-9.]+-linux-\w+\.tar\.gz", tarball.name), tarball.name)
    with tarfile.open(tarball) as archive:
        archive.extractall(work / "elsewhere")
    home = work / "elsewhere" / tarball.name.removesuffix(".tar.gz")
    for path in SHARED:
        check((home / path).is_file(), f"{path} is in the tarball")
    environment = dict(os.environ, LD_LIBRARY_PATH="")
    program = home / "bin/neardup"
    check_program(program, work, environment)
    check((home / "bin").is_dir() and os.access(program, os.X_OK), "the program can be run")
    for line in run("ldd", program, env=environment).splitlines():
        name, _, path = line.strip().partition(" => ")
        inside = path.startswith(str(home)) or str((home / "lib").resolve()) in os.path.realpath(path.split(" (")[0])
        check(SYSTEM.match(name) or inside, f"{line.strip()} comes from the tarball")
    print(f"{tarball.name}: {tarball.stat().st_size >> 10} KiB, {len(list((home / 'lib').iterdir()))} libraries")


def main():
    parser = argparse.ArgumentParser()
    for name in ("cmake", "cpack", "build"):
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args()
    os.environ["PATH"] += ":/usr/sbin:/sbin"  # where dpkg looks for its own tools
    needed = ["dpkg", "dpkg-deb", "dpkg-shlibdeps", "file", "ldd"] + ([] if os.geteuid() == 0 else ["fakeroot"])
    for tool in needed:
        if not shutil.which(tool):
            print(f"{tool} is not installed: skipped")
            return SKIPPED
    with tempfile.TemporaryDirectory(prefix="neardup-package-") as folder:
        work = pathlib.Path(folder)
        run(options.cmake, "--build", options.build, "--target", "neardup_portable")
        run(options.cpack, "--config", pathlib.Path(options.build) / "CPackConfig.cmake", "-B", work / "packages", cwd=work)
        check_debian(work / "packages", work)
        check_tarball(work / "packages", work)
    return 0


if __name__ == "__main__":
    sys.exit(main())
