#!/bin/sh
# Compiles each case of a file of mistakes: it must fail, with the words that stand behind the case. Without a case it
# must compile without a warning. The error attribute speaks when code is made, hence -c and -O1.
# usage: must_not_compile.sh <include directory> <file> <compiler> [flags...]
include=$1 file=$2
shift 2
object=$(mktemp) && message=$(mktemp) || exit 1
trap 'rm -f "$object" "$message"' EXIT
failed=0

compile() {
    LC_ALL=C "$@" -O1 -Wall -Wextra -pedantic -I"$include" -c "$file" -o "$object" 2>"$message"
}

complain() {
    echo "$1"
    sed 's/^/    /;10q' "$message"
    failed=1
}

compile "$@" -Werror || complain "the file without a mistake does not compile"
cases=$(sed -n 's/^#e*l*if CASE == \([0-9]*\) .*/\1/p' "$file")
count=0
for case in $cases; do
    words=$(sed -n "s|^#e*l*if CASE == $case /\* \(.*\) \*/\$|\1|p" "$file")
    count=$((count + 1))
    if [ -z "$words" ]; then
        complain "case $case names no words to look for"
    elif compile "$@" -DCASE="$case"; then
        complain "case $case compiles"
    elif ! grep -q "$words" "$message"; then
        complain "case $case fails, but without the words: $words"
    fi
done
[ "$count" -gt 0 ] || complain "no case found in $file"
echo "$count mistakes tried with $1"
exit $failed
