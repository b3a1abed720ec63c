#!/usr/bin/env bash
# Format, clang-tidy, include directions. Needs a configured build/lint.
#
#   tools/lint.sh [JOBS]
set -uo pipefail
cd "$(dirname "$0")/.."
jobs=${1:-2}
failed=0

echo "lint: format"
git ls-files --cached --others --exclude-standard '*.h' '*.c' '*.cpp' |
  xargs clang-format-14 --dry-run -Werror || failed=1

echo "lint: includes"
python3 tools/check_includes.py || failed=1
python3 tools/check_messages.py || failed=1

echo "lint: clang-tidy"
git ls-files --cached --others --exclude-standard 'src/*.cpp' 'apps/*.cpp' |
  xargs -n 1 -P "$jobs" clang-tidy-14 -p build/lint --quiet --warnings-as-errors='*' 2> /dev/null || failed=1

if [[ $failed == 0 ]]; then
  echo "lint: clean"
fi
exit $failed
