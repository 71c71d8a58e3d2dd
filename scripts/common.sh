# shellcheck shell=sh
# What demo and test share: say what happens, install what is missing, configure and build.

root=$(CDPATH='' cd "$(dirname "$0")/.." && pwd)
build=$root/build
# A cache of compiled kernels of our own, so that the home folder stays as it was.
POCL_CACHE_DIR=${POCL_CACHE_DIR:-$build/pocl-cache}
export POCL_CACHE_DIR

say() {
    printf '==> %s\n' "$*"
}

fail() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

# Prints the first comment of the script itself.
show_help() {
    sed -n '2,${/^#/!q;s/^# \{0,1\}//p;}' "$0"
}

cores() {
    getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2
}

is_installed() {
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# Of install_missing, whose $missing it names.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        fail "only root can install, and there is no sudo here; as root, run: apt-get install$missing"
    fi
}

# install_missing PACKAGE..., by the names of Debian and Ubuntu. Where all of them are there, nothing happens, and nobody
# is asked for a password.
install_missing() {
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        say "There is no apt-get here. Going on with what there is; needed, by the names of Debian: $*"
        return
    fi
    missing=
    for package in "$@"; do
        is_installed "$package" || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    say "Installing with apt-get:$missing"
    as_root apt-get update -qq || say "apt-get update failed. Going on with the package lists that are there"
    # shellcheck disable=SC2086 # one word for each package
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing ||
        fail "apt-get could not install:$missing"
}

# What the library, its examples and its tests are built from and run on, and PACKAGE...
install_what_is_needed() {
    install_missing gcc g++ make cmake pkg-config ocl-icd-opencl-dev opencl-headers pocl-opencl-icd uthash-dev \
        libstb-dev check "$@"
}

configure() {
    say "Configuring in $build"
    cmake -S "$root" -B "$build" "$@" || fail "CMake could not configure; what is missing stands above"
}

# compile TARGET
compile() {
    say "Building with $(cores) cores"
    cmake --build "$build" --target "$1" --parallel "$(cores)" || fail "the build failed; the compiler's message stands above"
}
