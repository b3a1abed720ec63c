#!/usr/bin/env bash
# Installs what neardup needs on Debian, and only what is missing.
#
#   tools/setup.sh [GROUP...]      groups: build (default), lint, fuzz, coverage, finish, package, bench, references, python, spark
#
# NEARDUP_SKIP_SETUP=1 skips all of it.
set -euo pipefail
cd "$(dirname "$0")/.."

build=(g++ cmake ninja-build pkg-config libfmt-dev libsimdjson-dev zlib1g-dev libzstd-dev libbz2-dev liblzma-dev liblz4-dev
       libarchive-dev libbrotli-dev libicu-dev libuchardet-dev libre2-dev libstemmer-dev libtbb-dev libcli11-dev libxxhash-dev
       libgtest-dev libgmock-dev libbenchmark-dev python3 python3-pip)
lint=(clang-format-14 clang-tidy-14)
fuzz=(clang-14 libclang-rt-14-dev)
coverage=(gcovr)
finish=(mandoc zsh fish)  # what reads the manual and the completions, in tests
package=(dpkg-dev fakeroot file)
bench=(libxapian-dev)  # a peer
python=(python3-dev python3-venv)  # and, from the Python package index into build/venv, what python/requirements-*.txt name
spark=(openjdk-17-jre-headless)  # and PySpark, into build/venv
references=(python3-pip)  # what tests compare with, from the Python package index into build/references

if [[ ${NEARDUP_SKIP_SETUP:-0} == 1 ]]; then
  exit 0
fi

wanted=()
for group in "${@:-build}"; do
  case $group in
    build | lint | fuzz | coverage | finish | package | bench | references | python | spark)
      declare -n packages=$group
      wanted+=("${packages[@]}")
      ;;
    *)
      echo "setup: there is no group $group (build, lint, fuzz, coverage, finish, package, bench, references, python, spark)" >&2
      exit 2
      ;;
  esac
done

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
  if [[ ! -d $folder/networkx ]]; then
    echo "setup: fetching networkx"
    if "${pip[@]}" install --target $folder/networkx.part 'networkx>=3,<4' numpy scipy; then
      mv $folder/networkx.part $folder/networkx
    else
      echo "setup: it cannot be had; test authority.pagerank is skipped" >&2
    fi
  fi
}

# The environment in which the Python package is built and tested. It is made anew when the requirements change.
make_venv() {
  local venv=build/venv wanted
  wanted=$(cat python/requirements-*.txt)
  if [[ $(cat $venv/requirements 2> /dev/null) == "$wanted" ]]; then
    return
  fi
  echo "setup: installing what python/requirements-*.txt name into $venv"
  [[ -x $venv/bin/python ]] || python3 -m venv $venv
  $venv/bin/python -m pip --quiet --disable-pip-version-check install -r python/requirements-build.txt -r python/requirements-test.txt
  echo "$wanted" > $venv/requirements
}

# Without it the tests of neardup.spark are skipped.
fetch_spark() {
  local python=build/venv/bin/python
  $python -c 'import pyspark' 2> /dev/null && return
  echo "setup: installing PySpark into build/venv"
  $python -m pip --quiet --disable-pip-version-check --retries 1 install 'pyspark>=4.1,<5' ||
    echo "setup: it cannot be had; tests python.spark are skipped" >&2
}

# Is everything there that building needs, whoever installed it?
found_by_hand() {
  local tool module
  for tool in c++ cmake ninja pkg-config python3; do
    command -v "$tool" > /dev/null || return 1
  done
  for module in fmt simdjson zlib libzstd liblzma liblz4 libarchive libbrotlidec icu-uc uchardet re2 tbb libxxhash gtest \
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
    libstemmer 2, oneTBB 2021, CLI11 2.1, xxhash 0.8                                (these or newer, with headers)
    GoogleTest 1.12, Google Benchmark 1.7                                           (for the tests and benchmarks)
    clang-format-14, clang-tidy-14, clang-14 with libFuzzer                         (only for make lint and make fuzz)
Then run the same command again with NEARDUP_SKIP_SETUP=1.
TEXT
  exit 1
fi

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

if [[ " $* " == *" references "* ]]; then
  fetch_references
fi
if [[ " $* " == *" python "* ]]; then
  make_venv
fi
if [[ " $* " == *" spark "* ]]; then
  fetch_spark
fi
