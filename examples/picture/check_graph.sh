#!/bin/sh
# usage: check_graph.sh picture.txt
# The graph has to be the diamond of diamonds that one would draw by hand, and no edge more:
# 1 write; 2 small, 3 large, 4 middle blur; 5 fine, 6 rough edges; 7 maximum;
# 8 minimum; 9 extend; 10 unsharpen; 11, 12 combine; 13 read.
expected="t1-t2 t1-t3 t1-t4 t2-t5 t3-t6 t6-t7 t6-t8 t7-t9 t8-t9 t4-t10 t10-t11 t5-t11 t9-t12 t11-t12 t12-t13"
sorted() { tr ' ' '\n' | sort -u; }
found=$(sed -n 's/^edge \(t[0-9]*\) \(t[0-9]*\) .*/\1-\2/p' "$1") || exit 1
[ "$(echo "$found" | sorted)" = "$(echo "$expected" | sorted)" ] && exit 0
echo "$1: expected the edges" $expected
echo "but it has" $found
exit 1
