#!/usr/bin/env bash
# Runs every fuzz target of a build for a while; a finding stays in the build folder.
#
#   tools/fuzz.sh BUILD_FOLDER SECONDS      exit 77 when nothing is built there (ctest: skipped)
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
seconds=$2
found=0
for target in $(find "$build" -type f -executable -name 'fuzz_*' 2> /dev/null | sort); do
  name=$(basename "$target")
  corpus=$build/corpus/$name
  mkdir -p "$corpus"
  echo "fuzz: $name for $seconds s"
  "$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=0 -verbosity=0 \
    -artifact_prefix="$build/$name-" "$corpus" || exit 1
  found=1
done
if [[ $found == 0 ]]; then
  echo "fuzz: there are no fuzz targets in $build; make fuzz builds them" >&2
  exit 77
fi
