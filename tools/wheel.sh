#!/usr/bin/env bash
# Builds wheels of the Python package that bring their libraries along, and tries each in an empty environment.
#
#   tools/wheel.sh FOLDER [PYTHON...]     the interpreters: python3 unless named, and the newest one that makes a wheel for all later ones
#
# auditwheel brings the shared libraries into the wheel; their licences go with them.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$1
shift
venv=$PWD/build/venv
export PATH=$venv/bin:$PATH
export CC=${CC:-cc} CXX=${CXX:-c++}  # the names by which ccache knows the objects of the release build

interpreters=("$@")
if [[ ${#interpreters[@]} == 0 ]]; then
  interpreters=(python3)
  for version in 12 13 14; do  # the oldest of these makes the wheel for all newer ones
    if found=$(command -v "python3.$version" "$HOME"/.pyenv/versions/3."$version".*/bin/python3 | head -n 1) && "$found" -c '' 2> /dev/null; then
      interpreters+=("$found")
      break
    fi
  done
fi

# Puts the licences of the libraries in a wheel beside them.
add_licences() {
  local wheel=$1 work owner library
  work=$(mktemp -d)
  python -m wheel unpack --dest "$work" "$wheel" > /dev/null
  for library in "$work"/*/neardup.libs/*; do
    # auditwheel's names have a hash: libfoo-1a2b3c4d.so.5
    owner=$(dpkg-query --search "*/$(basename "$library" | sed -E 's/-[0-9a-f]{8}(\.[0-9.]*)?\.so/\1.so/')*" 2> /dev/null | head -n 1 | cut -d: -f1)
    if [[ -n $owner && -f /usr/share/doc/$owner/copyright ]]; then
      cp "/usr/share/doc/$owner/copyright" "$(echo "$work"/*/*.dist-info/licenses)/$owner"
    else
      echo "wheel: no licence found for $(basename "$library")" >&2
    fi
  done
  rm "$wheel"
  python -m wheel pack --dest-dir "$(dirname "$wheel")" "$work"/*/ > /dev/null
  rm -r "$work"
}

rm -rf "$folder"
mkdir -p "$folder/raw"
for interpreter in "${interpreters[@]}"; do
  "$interpreter" -m pip --disable-pip-version-check wheel --quiet --no-deps --wheel-dir "$folder/raw" .
done
for raw in "$folder"/raw/*.whl; do
  auditwheel repair --wheel-dir "$folder" "$raw"
done
rm -r "$folder/raw"
for wheel in "$folder"/*.whl; do
  add_licences "$wheel"
done
for wheel in "$folder"/*.whl; do
  auditwheel show "$wheel"
done
ls -sh "$folder"/*.whl
exec "$venv/bin/python" tools/try_wheels.py "$folder"
