#!/usr/bin/env bash
# Runs every fuzz target of a build for a while; a finding stays in the build folder.
#
#   tools/fuzz.sh BUILD_FOLDER SECONDS
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
seconds=$2
for target in "$build"/fuzz/fuzz_*; do
  name=$(basename "$target")
  [[ $name == fuzz_reader ]] && continue  # stands for nothing under its own name
  corpus=$build/corpus/$name
  mkdir -p "$corpus"
  echo "fuzz: $name for $seconds s"
  "$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=0 -verbosity=0 \
    -artifact_prefix="$build/$name-" "$corpus"
done
