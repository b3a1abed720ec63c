#!/usr/bin/env bash
# Builds Debian's oneTBB with the thread sanitizer, because what an uninstrumented library synchronises looks like a race.
#
#   tools/tsan_tbb.sh FOLDER      installs into FOLDER unless it is there already
set -euo pipefail
folder=$(realpath -m "$1")
if [[ -d $folder/lib/cmake/TBB ]]; then
  exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial"
# The machine's own package sources, asked for source packages.
{ cat /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2> /dev/null || true; } |
  sed -e 's/^Types: deb$/Types: deb-src/' -e 's/^deb /deb-src /' > "$work/list.sources"
apt=(apt-get -o Dir::Etc::sourcelist="$work/list.sources" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$work/lists"
     -o APT::Sandbox::User=root)
echo "tsan: fetching the source of oneTBB"
(cd "$work" && "${apt[@]}" update > /dev/null && "${apt[@]}" source --download-only onetbb > /dev/null && tar xf onetbb_*.orig.tar.*)
echo "tsan: building it with the thread sanitizer"
cmake -S "$(echo "$work"/oneTBB-*/)" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DTBB_TEST=OFF -DTBB_STRICT=OFF \
  -DCMAKE_CXX_FLAGS="-fsanitize=thread -g" -DCMAKE_INSTALL_PREFIX="$folder" -DCMAKE_INSTALL_LIBDIR=lib > /dev/null
cmake --build "$work/build" > /dev/null
cmake --install "$work/build" > /dev/null
