#!/bin/sh
# Makes the virtual environment DIR with the packages of REQUIREMENTS, once; says its python.
# Used by tests only; nothing that is built or run needs it.
# usage: venv.sh DIR REQUIREMENTS
set -eu
dir=$1
requirements=$2
if ! cmp -s "$requirements" "$dir/made-of.txt"; then
    rm -rf "$dir"
    python3 -m venv "$dir"
    "$dir/bin/pip" install --quiet --disable-pip-version-check --retries 1 --timeout 10 \
        --requirement "$requirements" >&2
    cp "$requirements" "$dir/made-of.txt"
fi
echo "$dir/bin/python"
