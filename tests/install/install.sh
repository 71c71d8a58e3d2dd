#!/bin/sh
# usage: install.sh install BUILD CONFIGURATION PREFIX CMAKE
#        install.sh find_package_shared|find_package_static PREFIX LIBDIR CMAKE COMPILER
#        install.sh add_subdirectory SELVEDGE CMAKE COMPILER
#        install.sh pkg_config_shared|pkg_config_static PREFIX LIBDIR PKG_CONFIG COMPILER
# Installs into PREFIX, or builds program.c in one of four ways against what is there, or together with the source in
# SELVEDGE; in the current folder. Then the program is run.
set -eu
here=$(CDPATH='' cd "$(dirname "$0")" && pwd)

fail() {
    echo "install.sh: $*" >&2
    exit 1
}

# log NAME COMMAND...: what it prints is of interest only if it fails
log() {
    file=$1.log
    shift
    "$@" >"$file" 2>&1 || { cat "$file"; fail "failed: $*"; }
}

install_tree() {
    rm -rf "$3" "$3.before"
    log install "$4" --install "$1" --config "$2" --prefix "$3.before"
    mv "$3.before" "$3"
    for header in "$here"/../../include/selvedge/*.h; do
        [ -f "$3/include/selvedge/${header##*/}" ] || fail "${header##*/} was not installed"
    done
    if grep -rlF "$3.before" "$3" --include=*.cmake --include=*.pc; then
        fail "the files above name the place where they were installed, so the tree cannot be moved"
    fi
}

# links shared|static PROGRAM: how the program came to the library
links() {
    needed=no
    readelf -d "$2" | grep -q 'NEEDED.*libselvedge' && needed=yes
    case $1-$needed in
    shared-no) fail "$2 was to use the shared library, and does not" ;;
    static-yes) fail "$2 was to hold the static library, and needs the shared one" ;;
    esac
}

run() {
    answer=$(LD_LIBRARY_PATH=$2 "./$1") || fail "$1 failed: $answer"
    [ "$answer" = 42 ] || fail "$1 printed $answer instead of 42"
}

by_find_package() {
    folder=find_package_$1
    rm -rf "$folder"
    log "$folder" "$4" -S "$here/consumer" -B "$folder" -DCMAKE_PREFIX_PATH="$2" -DCMAKE_C_COMPILER="$5" -DKIND="$1"
    log "$folder" "$4" --build "$folder"
    links "$1" "$folder/program"
    run "$folder/program" "$2/$3"
}

by_add_subdirectory() {
    folder=add_subdirectory
    log "$folder" "$2" -S "$here/consumer" -B "$folder" -DSELVEDGE="$1" -DCMAKE_C_COMPILER="$3" -DKIND=static
    log "$folder" "$2" --build "$folder" --target program --parallel 2
    links static "$folder/program"
    run "$folder/program" .
}

by_pkg_config() {
    program=pkg_config_$1
    export PKG_CONFIG_PATH="$2/$3/pkgconfig"
    flags=$("$4" --cflags selvedge)
    if [ "$1" = static ]; then
        # The linker prefers the shared library of two that stand side by side, unless the file is named.
        libraries=$("$4" --static --libs selvedge | sed 's/-lselvedge/-l:libselvedge.a/')
    else
        libraries=$("$4" --libs selvedge)
    fi
    # pkg-config escapes spaces for the shell, which has to read them once more.
    eval '"$5" -std=c11 "$here/program.c" -o "$program"' "$flags $libraries"
    links "$1" "$program"
    run "$program" "$2/$3"
}

what=$1
shift
case $what in
install) install_tree "$@" ;;
add_subdirectory) by_add_subdirectory "$@" ;;
find_package_*) by_find_package "${what##*_}" "$@" ;;
pkg_config_*) by_pkg_config "${what##*_}" "$@" ;;
*) fail "there is no way called $what" ;;
esac
