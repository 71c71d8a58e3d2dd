#!/bin/sh
# usage: check_graph.sh induction.txt
# The first step has to be what one would draw by hand, and no edge more:
#   1 write; 2 bx, 3 by, 4 ux, 5 uy are copied out of it; 6 squares, 7 total: the first energy
#   8 emf; 9 rate_x, 10 rate_y; 11 update of x, 12 of y     likewise 13 to 17, and 18 to 22
#   23 squares, 24 total: the next energy
# The first energy is beside two stages: only the third overwrites what it reads.
expected="t1-t2 t1-t3 t1-t4 t1-t5 t2-t6 t3-t6 t6-t7
t2-t8 t3-t8 t4-t8 t5-t8 t8-t9 t8-t10 t9-t11 t10-t12
t11-t13 t12-t13 t13-t14 t13-t15 t14-t16 t15-t17
t16-t18 t17-t18 t18-t19 t18-t20 t19-t21 t20-t22 t6-t21 t6-t22
t21-t23 t22-t23 t7-t23 t23-t24"
sorted() { tr ' ' '\n' | sort -u; }
found=$(sed -n '/^task t25 /q; s/^edge \(t[0-9]*\) \(t[0-9]*\) .*/\1-\2/p' "$1") || exit 1
[ "$(echo "$found" | sorted)" = "$(echo "$expected" | sorted)" ] && exit 0
echo "$1: expected the edges" $expected
echo "but it has" $found
exit 1
