#!/bin/sh
# usage: check_twins.sh ONE OTHER [OPTION...]: both programs give the same norms, to the last bit.
one=$1 other=$2
shift 2
first=$("$one" "$@") || { echo "$one failed"; exit 1; }
second=$("$other" "$@") || { echo "$other failed"; exit 1; }
first=$(echo "$first" | grep '^exact ') || { echo "$one printed no exact norms"; exit 1; }
second=$(echo "$second" | grep '^exact ')
[ "$first" = "$second" ] || { printf 'these differ:\n%s\n\n%s\n' "$first" "$second"; exit 1; }
printf 'both gave\n%s\n' "$first"
