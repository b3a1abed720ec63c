#!/usr/bin/env bash
# Unpacks Debian's libraries for aarch64 into a folder, for cross-building. Nothing on the machine changes.
#
#   tools/aarch64_sysroot.sh FOLDER PACKAGE...      leaves FOLDER alone when it has these packages
set -euo pipefail
folder=$(realpath -m "$1")
shift
wanted=$(printf '%s\n' "$@" | sort)
if [[ -f $folder/packages && $(< "$folder/packages") == "$wanted" ]]; then
  exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial"
touch "$work/state/status"
# The machine's own package sources, asked for another architecture. No package counts as installed, so whatever the
# libraries depend on comes too.
{ cat /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2> /dev/null || true; } > "$work/list.sources"
apt=(apt-get -o Dir::Etc::sourcelist="$work/list.sources" -o Dir::Etc::sourceparts=- -o Dir::State="$work/state"
     -o Dir::State::status="$work/state/status" -o Dir::Cache="$work/cache" -o APT::Architecture=arm64
     -o APT::Architectures=arm64 -o APT::Sandbox::User=root -o Acquire::Languages=none)
echo "setup: fetching the aarch64 libraries"
"${apt[@]}" update > /dev/null
"${apt[@]}" install --yes --download-only --no-install-recommends "$@" > /dev/null
echo "setup: unpacking them into $folder"
rm -rf "$folder" "$folder.part"
mkdir -p "$folder.part"
for package in "$work"/cache/archives/*.deb; do
  dpkg-deb --extract "$package" "$folder.part"
done
# Links to absolute paths would lead out of the folder.
find "$folder.part" -type l -lname '/*' -print0 | while IFS= read -r -d '' link; do
  ln -sfnr "$folder.part$(readlink "$link")" "$link"
done
rm -rf "$folder.part"/usr/share/{doc,man,locale}
echo "$wanted" > "$folder.part/packages"
mv "$folder.part" "$folder"
