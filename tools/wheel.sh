#!/usr/bin/env bash
# Builds wheels of the Python package that bring their libraries along, and tries each in an empty environment.
#
#   tools/wheel.sh FOLDER [PYTHON...]     the interpreters: that of build/venv unless named, and 3.12, whose wheel all later ones can use
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
  interpreters=("$venv/bin/python")
  for candidate in python3.12 "$HOME"/.pyenv/versions/3.12.*/bin/python3; do  # makes the wheel for all newer ones too
    if "$candidate" -c '' 2> /dev/null; then
      interpreters+=("$candidate")
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
  isolation=()
  if "$interpreter" -c 'import nanobind, scikit_build_core' 2> /dev/null; then
    isolation=(--no-build-isolation)  # objects of the last build can be used again
  fi
  echo "wheel: building with $("$interpreter" --version)"
  "$interpreter" -m pip --disable-pip-version-check wheel --quiet --no-deps "${isolation[@]}" --wheel-dir "$folder/raw" .
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
