#!/bin/sh
# usage: snippets.sh first PAGE     the first block of C of a Markdown page, as it stands
#        snippets.sh all PAGE       every block, as functions for snippets.c: one that begins with "static" stands
#                                   outside of all functions, the others are the bodies of snippet_1, snippet_2, ...
# Prints C. So what the pages show is compiled, and run, by a test.
set -eu
page=$2

case $1 in
first)
    awk '/^```c$/ { on = 1; next } /^```$/ && on { exit } on' "$page"
    ;;
all)
    awk -v page="${page##*/}" '
        /^```c$/ { on = 1; first = 1; next }
        /^```$/ && on { if (body) print "}"; on = body = 0; next }
        !on { next }
        first && !/^static/ { body = 1; printf "static void snippet_%d(void)\n{\n", ++count }
        first { printf "#line %d \"%s\"\n", NR, page; first = 0 }
        { print }
        END {
            print "static const snippet snippets[] = {"
            for (i = 1; i <= count; i++)
                printf "    snippet_%d,\n", i
            print "};"
        }' "$page"
    ;;
*)
    echo "snippets.sh: there is no way called $1" >&2
    exit 1
    ;;
esac
