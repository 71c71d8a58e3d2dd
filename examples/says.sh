#!/bin/sh
# usage: says.sh PROGRAM EXPRESSION...
# Runs an example with SELVEDGE_GRAPH: it must end with status 0 (or 77: skipped, which is passed on), and each
# expression must match a line that it printed or a line of its graph. One with a ! in front must match none.
set -u
program=$1
graph=$PWD/${program##*/}.graph.txt
shift
rm -f "$graph"
said=$(SELVEDGE_GRAPH=$graph "$program")
status=$?
echo "$said"
[ $status -eq 0 ] || exit $status
all=$(echo "$said" && cat "$graph") || exit 1

for expression in "$@"; do
    if echo "$all" | grep -Eq -- "${expression#!}"; then found=yes; else found=no; fi
    case $expression-$found in
    !*-yes) echo "${program##*/}: a line matches ${expression#!}, and none should"; exit 1 ;;
    !*-no | *-yes) ;;
    *) echo "${program##*/}: no line matches $expression; the graph is in $graph"; exit 1 ;;
    esac
done
