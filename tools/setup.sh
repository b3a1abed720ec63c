#!/usr/bin/env bash
# Installs what neardup needs on Debian, and only what is missing.
#
#   tools/setup.sh [GROUP...]      the default is build; the groups are below
#
# NEARDUP_SKIP_SETUP=1 skips all of it.
set -euo pipefail
cd "$(dirname "$0")/.."

build=(g++ cmake ninja-build pkg-config libfmt-dev libsimdjson-dev zlib1g-dev libzstd-dev libbz2-dev liblzma-dev liblz4-dev
       libarchive-dev libbrotli-dev libicu-dev libuchardet-dev libre2-dev libstemmer-dev libtbb-dev libcli11-dev libxxhash-dev librocksdb-dev libboost1.81-dev libssl-dev
       libgtest-dev libgmock-dev libbenchmark-dev python3 python3-pip)
lint=(clang-format-14 clang-tidy-14)
fuzz=(clang-14 libclang-rt-14-dev)
coverage=(gcovr)
finish=(mandoc zsh fish)  # what reads the manual and the completions, in tests
package=(dpkg-dev fakeroot file)
bench=(libxapian-dev wrk)  # a peer; what drives the service
python=(python3-dev python3-venv)  # and, from the Python package index into build/venv, what python/requirements-*.txt name
arrow=(python3-pip)  # libarrow and libparquet with their headers, from the Python package index into build/arrow
spark=(openjdk-17-jre-headless)  # what PySpark, in build/venv, runs on
web=(nodejs npm chromium)  # and, from the npm registry into web/node_modules, what web/package-lock.json names
references=(python3-pip)  # what tests compare with, from the Python package index into build/references
aarch64=(g++-aarch64-linux-gnu qemu-user)  # besides the libraries of `build`, which come into build/aarch64-sysroot

groups="build arrow lint fuzz coverage finish package bench references python spark web aarch64"

if [[ ${NEARDUP_SKIP_SETUP:-0} == 1 ]]; then
  exit 0
fi

wanted=()
for group in "${@:-build}"; do
  if [[ " $groups " != *" $group "* ]]; then
    echo "setup: there is no group $group (${groups// /, })" >&2
    exit 2
  fi
  declare -n packages=$group
  wanted+=("${packages[@]}")
done

# What the Arrow plugin is built of. Without a network there is no plugin, and the tests that need it are skipped.
fetch_arrow() {
  local folder=build/arrow
  [[ -d $folder/pyarrow ]] && return
  echo "setup: fetching pyarrow, whose libraries read Parquet and Arrow files"
  rm -rf $folder.part
  if python3 -m pip --quiet --disable-pip-version-check --retries 1 install --no-deps --target $folder.part 'pyarrow==26.*'; then
    mkdir -p $folder
    mv $folder.part/* $folder/
    rm -rf $folder.part
  else
    echo "setup: it cannot be had; Parquet and Arrow files will not be read" >&2
  fi
}

# Without a network the tests that need these are skipped.
fetch_references() {
  local folder=build/references pip=(python3 -m pip --quiet --disable-pip-version-check --retries 1)
  mkdir -p $folder
  if ! compgen -G "$folder/html5lib-*.tar.gz" > /dev/null; then
    echo "setup: fetching the tokenizer tests of html5lib"
    echo "setuptools<70" > $folder/constraint.txt  # its setup.py is of the time of older build tools
    PIP_CONSTRAINT=$folder/constraint.txt "${pip[@]}" download --no-deps --no-binary html5lib --dest $folder html5lib==1.1 ||
      echo "setup: they cannot be had; test text.html5lib is skipped" >&2
  fi
}

# The environment in which the Python package is built and tested, and from which other tests take what they compare with.
# What is missing of the requirements is installed when they change.
make_venv() {
  local venv=build/venv wanted
  wanted=$(cat python/requirements-*.txt)
  if [[ $(cat $venv/requirements 2> /dev/null) == "$wanted" ]]; then
    return
  fi
  echo "setup: installing what python/requirements-*.txt name into $venv"
  [[ -x $venv/bin/python ]] || python3 -m venv $venv
  $venv/bin/python -m pip --quiet --disable-pip-version-check install --no-compile -r python/requirements-build.txt -r python/requirements-test.txt
  echo "$wanted" > $venv/requirements
}

# What builds and tests the web page. Installed again when the lock file changes.
install_web() {
  local installed=web/node_modules/.package-lock.json
  [[ $installed -nt web/package-lock.json ]] && return
  echo "setup: installing the packages of web/package-lock.json into web/node_modules"
  (cd web && npm ci --no-audit --no-fund --loglevel=error && touch node_modules/.package-lock.json)
}

# Is everything there that building needs, whoever installed it?
found_by_hand() {
  local tool module
  for tool in c++ cmake ninja pkg-config python3; do
    command -v "$tool" > /dev/null || return 1
  done
  for module in fmt simdjson zlib libzstd liblzma liblz4 libarchive libbrotlidec icu-uc uchardet re2 tbb libxxhash rocksdb gtest \
                benchmark CLI11; do
    pkg-config --exists "$module" || return 1
  done
}

if ! command -v dpkg-query > /dev/null || ! command -v apt-get > /dev/null; then
  if [[ "${*:-build}" == build ]] && found_by_hand; then
    exit 0
  fi
  cat >&2 << 'TEXT'
setup: this is not a Debian system, so install these yourself:
    a C++20 compiler (g++ 12 or clang 14, or newer), cmake 3.25 or newer, ninja, pkg-config, python3
    fmt 9, simdjson 3, zlib, zstd 1.4, bzip2 1.0, xz 5, lz4 1.9, libarchive 3.6, brotli 1.0, ICU 70, uchardet 0.0.7, RE2,
    libstemmer 2, oneTBB 2021, CLI11 2.1, xxhash 0.8, RocksDB 7, Boost 1.81, OpenSSL 3                                (these or newer, with headers)
    GoogleTest 1.12, Google Benchmark 1.7                                           (for the tests and benchmarks)
    clang-format-14, clang-tidy-14, clang-14 with libFuzzer                         (only for make lint and make fuzz)
Then run the same command again with NEARDUP_SKIP_SETUP=1.
TEXT
  exit 1
fi

# Node.js from elsewhere brings npm along, and Debian's npm conflicts with it.
if command -v npm > /dev/null; then wanted=("${wanted[@]/#npm/nodejs}"); fi

missing=()
for package in "${wanted[@]}"; do
  if [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2> /dev/null) != installed ]]; then
    missing+=("$package")
  fi
done
install_missing() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
}

if [[ ${#missing[@]} != 0 ]]; then
  as_root=()
  if [[ $(id -u) != 0 ]]; then
    if ! command -v sudo > /dev/null; then
      echo "setup: not root and no sudo here; as root, run: apt-get install ${missing[*]}" >&2
      exit 1
    fi
    as_root=(sudo)
  fi
  echo "setup: installing ${missing[*]}"
  for package in "${missing[@]}"; do
    if ! apt-cache show "$package" > /dev/null 2>&1; then
      "${as_root[@]}" apt-get update
      break
    fi
  done
  # The lists may name versions that the archive no longer has: then they are fetched anew, once.
  install_missing || { "${as_root[@]}" apt-get update && install_missing; }
fi

if [[ " $* " == *" arrow "* ]]; then
  fetch_arrow
fi
if [[ " $* " == *" references "* ]]; then
  fetch_references
fi
if [[ " $* " == *" aarch64 "* ]]; then
  libraries=()
  for package in "${build[@]}"; do
    if [[ $package == *-dev ]]; then libraries+=("$package"); fi
  done
  tools/aarch64_sysroot.sh build/aarch64-sysroot libc6-dev libstdc++6 "${libraries[@]}"
fi
if [[ " $* " == *" python "* ]]; then
  make_venv
fi
if [[ " $* " == *" web "* ]]; then
  install_web
fi
