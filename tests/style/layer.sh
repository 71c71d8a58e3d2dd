#!/bin/sh
# usage: layer.sh COMPILER REPOSITORY PATH[:PATH...] FOLDER [BELOW...]
# With the include path that FOLDER is compiled with: each of its own headers compiles alone, so does one of each folder
# BELOW it, and one of any other folder is not found.
set -eu
compiler=$1 repository=$2 path=$3 folder=$4
shift 4
message=$(mktemp)
trap 'rm -f "$message"' EXIT
flags="-std=c11 -D_GNU_SOURCE -DCL_TARGET_OPENCL_VERSION=300 -fsyntax-only"
failed=0

complain() {
    echo "$folder: $1"
    sed 's/^/    /;5q' "$message"
    failed=1
}

# compiles HEADER
compiles() {
    # shellcheck disable=SC2086 # one word for each flag
    printf '#include "%s"\nextern int nothing;\n' "$1" |
        LC_ALL=C CPATH=$path:$repository/include "$compiler" $flags -x c - 2>"$message"
}

headers_of() {
    (cd "$repository/src" && ls "$1"/*.h)
}

for header in $(headers_of "$folder"); do
    compiles "$header" || complain "$header does not compile alone"
done
for other in "$repository"/src/*/; do
    other=$(basename "$other")
    header=$(headers_of "$other" 2>"$message" | head -n 1)
    case " $folder $* " in
    *" $other "*) compiles "$header" || complain "cannot use $header, and it stands below" ;;
    *)
        if [ -z "$header" ]; then
            continue
        elif compiles "$header"; then
            complain "can use $header, and must not"
        elif ! grep -q "$header: No such file" "$message" && ! grep -q "'$header' file not found" "$message"; then
            complain "$header was expected not to be found, but the compiler says something else"
        fi
        ;;
    esac
done
exit $failed
