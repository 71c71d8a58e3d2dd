#!/bin/sh
# usage: exports.sh NM LIBRARY
# Every name that the shared library defines for others begins with selv_, and there are some.
set -eu
names=$("$1" -D --defined-only "$2" | awk '{ print $NF }')
echo "$names" | grep -q '^selv_open_version$' || { echo "$2 does not export selv_open_version"; exit 1; }
if echo "$names" | grep -v '^selv_'; then
    echo "$2 exports the names above; only selv_... is for others"
    exit 1
fi
