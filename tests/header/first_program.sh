#!/bin/sh
# Compiles the program that stands in the first comment of the public header.
# usage: first_program.sh <selvedge.h> <compiler> [flags...]
header=$1
shift
directory=$(mktemp -d) || exit 1
trap 'rm -rf "$directory"' EXIT
case $1 in
*++) program=$directory/first.cpp ;;
*) program=$directory/first.c ;;
esac
sed -n '/^    #include <selvedge/,/^    }/p;/^ *\*\//q' "$header" | sed 's/^    //' >"$program"
grep -q selv_launch "$program" || { echo "no program found in the first comment of $header"; exit 1; }
"$@" -c "$program" -o "$directory/first.o"
