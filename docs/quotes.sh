#!/bin/sh
# usage: quotes.sh PAGE SOURCE...
# The function stage() and the loop of solve(), as they stand in each source, must stand in the page, indented by four.
set -eu
page=$1
shift

# quote SOURCE FIRST LAST INDENT: the lines from one expression to the next, indented by four in place of INDENT
quote() {
    sed -n "/$2/,/$3/p" "$1" | sed "s/^$4/    /"
}

for source in "$@"; do
    for text in "$(quote "$source" '^static void stage' '^}' '')" \
                "$(quote "$source" '^    measure(p, energies, 0' '^    }' '    ')"; do
        [ -n "$text" ] || { echo "$source has no longer what $page quotes"; exit 1; }
        QUOTED=$text awk '{ all = all $0 "\n" } END { exit !index(all, ENVIRON["QUOTED"]) }' "$page" ||
            { printf '%s quotes %s otherwise than it stands there now:\n%s\n' "$page" "$source" "$text"; exit 1; }
    done
done
