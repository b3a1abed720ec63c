#!/usr/bin/env python3
"""Checks who includes whom: the house has one direction of dependencies, and this is its table.

    tools/check_includes.py [REPOSITORY]

Also checks that nothing goes around FileSystem: a disk that a test cannot fail is a disk that is not tested.
Prints one line per breach and exits 1 when there is one.
"""
import pathlib
import re
import sys

# What every public call may use.
CALL = {"search", "report", "passages", "authority", "corpus", "join", "hamming", "cluster", "similarity", "fingerprint", "features", "io", "arrow", "text", "simd", "base"}

# What a module of src/ may include besides itself and the public headers.
ALLOWED = {
    "base": set(),
    "simd": {"base"},
    "text": {"simd", "base"},
    "arrow": {"base"},
    "io": {"arrow", "text", "base"},
    "cluster": {"base"},
    "features": {"text", "simd", "base"},
    "fingerprint": {"features", "simd", "base"},
    "similarity": {"features", "text", "simd", "base"},
    "join": {"similarity", "features", "text", "simd", "base"},
    "hamming": {"fingerprint", "features", "simd", "base"},
    "corpus": {"io", "text", "features", "fingerprint", "base"},
    "authority": {"corpus", "io", "text", "base"},
    "search": {"corpus", "join", "hamming", "cluster", "similarity", "fingerprint", "features", "base"},
    "passages": {"corpus", "features", "text", "simd", "base"},
    "report": {"corpus", "cluster", "similarity", "io", "text", "base"},
    "shuffle": {"corpus", "cluster", "similarity", "fingerprint", "features", "simd", "base"},
    # The public calls: anything above, never each other.
    "dedup": CALL,
    "pairs": CALL,
    "match": CALL,
    "extract": CALL,
    "compare": CALL,
    "clean": CALL,
    "trim": CALL,
    "decontaminate": CALL,
    "evaluate": CALL,
    "advise": CALL,
    "index": {"corpus", "hamming", "similarity", "cluster", "fingerprint", "features", "io", "text", "base"},
}

# Headers that cost much to compile, or that only one module should depend on: never in a header of ours.
HEAVY = re.compile(r"^(simdjson|unicode/|tbb/|oneapi/|CLI/|zlib|zstd|bzlib|lzma|lz4|archive|brotli/|re2/|uchardet/|libstemmer|xxhash|rocksdb/|benchmark/|gtest|gmock)")

# Kernels are compiled for one instruction set; anything shared with baseline code could leak it into the program.
KERNEL_HEADERS = {"immintrin.h", "arm_neon.h", "stddef.h", "stdint.h", "string.h", "stdbool.h", "limits.h"}

# Who may ask the operating system for files. Paths as values, and what the machine says of itself, are free.
DISK = "src/base/file_system.cpp"
AROUND_FILES = re.compile(
    r"\b(?:std::filesystem|fs)::(?:(?:symlink_)?status|exists|is_\w+|file_size|last_write_time|remove\w*|rename|create_\w+|copy\w*|equivalent|"
    r"(?:weakly_)?canonical|read_symlink|resize_file|permissions|temp_directory_path|(?:recursive_)?directory_(?:iterator|entry))\b"
    r"|(?<!\w)::(?:open|openat|creat|mkdir|rename|renameat2?|unlink|remove|rmdir|stat|lstat|fstat|fstatat|access|truncate|ftruncate|link|symlink|glob)\("
    r"|\b(?:mkdtemp|mkstemp|opendir|realpath|fopen|freopen|tmpfile|fsync|fdatasync|syncfs|flock)\("
    r"|\bstd::(?:rename|[iow]?fstream)\b(?!.*\"/(?:proc|sys)/)"
)

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def includes(path):
    """Yields (line number, kind of bracket, header) for every include of a file."""
    text = path.read_text(encoding="utf-8")
    for match in INCLUDE.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match.group(1), match.group(2)


def check_module(module, header):
    """Why a file of src/MODULE may not include "HEADER", or None."""
    first = header.split("/")[0]
    if first == "neardup" or first == module:
        return None
    if first not in ALLOWED:
        return f'"{header}" is neither public nor a module of src/'
    if first not in ALLOWED[module]:
        return f'{module} must not use {first} ("{header}")'
    return None


# What the command line may use of the service.
SERVICE = "server/serve.h"


def check_app(path, header):
    if header.startswith("neardup/") or (path.parent.name == "cli" and header == SERVICE) or ("/" not in header and (path.parent / header).exists()):
        return None
    return f'apps and bindings use only public headers, not "{header}"'


def check_public(header):
    return None if header.startswith("neardup/") else f'a public header may include only public ones, not "{header}"'


def goes_around_files(root, path):
    """Yields (line number, reason) for every line that uses a disk without FileSystem."""
    if path.relative_to(root).as_posix() == DISK:
        return
    for line, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if found := AROUND_FILES.search(text.split("//")[0]):
            yield line, f"{found.group(0)} goes around FileSystem (neardup/files.h); only {DISK} may"


def check_file(root, path):
    """Yields (line number, reason) for every breach of one file."""
    place = path.relative_to(root).parts
    kernel = place[0] == "src" and path.suffix == ".c"
    for line, bracket, header in includes(path):
        reason = None
        if kernel:
            if (bracket, header) != ('"', "simd/kernels.h") and (bracket == '"' or header not in KERNEL_HEADERS):
                reason = f"a kernel includes only simd/kernels.h, C headers and intrinsics, not {header}"
        elif bracket == '"':
            if place[0] == "include":
                reason = check_public(header)
            elif place[0] == "src":
                reason = check_module(place[1], header)
            elif place[0] in ("apps", "python"):
                reason = check_app(path, header)
        if reason is None and path.suffix == ".h" and HEAVY.match(header):
            reason = f"<{header}> is heavy: include it in a .cpp file"
        if reason is not None:
            yield line, reason


def left_out(root):
    """The public headers that neardup.h, which stands for all of them, does not include."""
    every = root / "include" / "neardup" / "neardup.h"
    named = {header for _, _, header in includes(every)}
    return sorted(p.name for p in every.parent.glob("*.h") if p != every and f"neardup/{p.name}" not in named)


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent)
    breaches = []
    files = [p for top in ("include", "src", "apps", "python") for p in sorted((root / top).rglob("*")) if p.suffix in (".h", ".c", ".cpp")]
    for path in files:
        if path.relative_to(root).parts[0] == "src" and path.relative_to(root).parts[1] not in ALLOWED:
            breaches.append(f"{path.relative_to(root)}: this module is not in the table of {__file__}")
            continue
        breaches += [f"{path.relative_to(root)}:{line}: {reason}" for line, reason in [*check_file(root, path), *goes_around_files(root, path)]]
    breaches += [f"include/neardup/neardup.h: leaves out neardup/{name}" for name in left_out(root)]
    print("\n".join(breaches) if breaches else f"{len(files)} files: every include goes in the right direction, every file through FileSystem")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
