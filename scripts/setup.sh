#!/usr/bin/env bash
# Sees to the tools that Belay needs; silent and quick when all are there.
#
#   scripts/setup.sh [build|test|soak]    each level includes the ones before it
#
# On Debian-like systems what is missing is installed with apt-get, after saying so. Elsewhere there is one line for each
# missing tool, and the script fails.
set -euo pipefail

level="${1:-build}"
clang="${BELAY_CLANG:-clang-22}"
packages=()
advice=()

have() { command -v "$1" >/dev/null 2>&1; }

# need PACKAGES ADVICE: the preceding probe failed.
need() {
    # shellcheck disable=SC2206  # several packages in one word, on purpose
    packages+=($1)
    advice+=("$2")
}

llvm_22() {
    local config
    for config in "${LLVM_SYS_221_PREFIX:-/usr/lib/llvm-22}/bin/llvm-config" llvm-config-22 llvm-config; do
        if have "$config" && [[ "$("$config" --version)" == 22.* ]] && "$config" --link-shared --libs >/dev/null 2>&1; then
            # The linker wants the unversioned name, which only the development package has.
            compgen -G "$("$config" --libdir)/libLLVM*.so" >/dev/null && return 0
        fi
    done
    return 1
}

headers_32() { echo '#include <stdio.h>' | "$clang" -m32 -E -x c - >/dev/null 2>&1; }

links_32() { echo 'int main(void) { return 0; }' | "$clang" -m32 -x c - -o /dev/null >/dev/null 2>&1; }

sanitizers() { echo 'int main(void) { return 0; }' | "$clang" -fsanitize=address,undefined -x c - -o /dev/null >/dev/null 2>&1; }

probe() {
    have cc || need gcc "a C compiler and linker (gcc)"
    have "$clang" || need clang-22 "clang 22 (https://releases.llvm.org)"
    llvm_22 || need llvm-22-dev "LLVM 22 with its C headers and shared library, llvm-config-22 on PATH (https://releases.llvm.org)"
    headers_32 || need libc6-dev-i386 "32-bit C library headers, for --data-model ILP32 (glibc-devel.i686, lib32-glibc)"
    have z3 || need z3 "the solver z3 (https://github.com/Z3Prover/z3)"
    [[ "$level" == build ]] && return
    have csmith || need csmith "csmith, for random test programs (https://github.com/csmith-project/csmith)"
    [[ -e /usr/include/csmith/csmith.h || -n "${CSMITH_INCLUDE:-}" ]] ||
        need libcsmith-dev "csmith's headers (or name their folder in CSMITH_INCLUDE)"
    links_32 || need gcc-multilib "the 32-bit C library and compiler runtime (gcc -m32 must link)"
    sanitizers || need libclang-rt-22-dev "clang 22's sanitizer runtimes (compiler-rt)"
    have python3 || need python3 "python3"
    have node || need nodejs "node, in which the editor's extension is tried (https://nodejs.org)"
    [[ "$level" == test ]] && return
    have chromium || need chromium "chromium, in which the page of a run is clicked through"
    have npm || need npm "npm, from which the validator of SARIF comes"
}

report() {
    local line
    for line in "${advice[@]}"; do
        echo "setup: missing: $line" >&2
    done
    exit 1
}

install() {
    local sudo=()
    if [[ "$(id -u)" != 0 ]]; then
        have sudo || { echo "setup: not root and no sudo; as root: apt-get install ${packages[*]}" >&2 && exit 1; }
        sudo=(sudo)
    fi
    echo "setup: installing with apt-get: ${packages[*]}"
    local get=("${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends)
    # The package lists may be old or absent: only then are they fetched.
    "${get[@]}" install "${packages[@]}" >/dev/null 2>&1 && return
    "${get[@]}" update >/dev/null || echo "setup: apt-get update failed" >&2
    "${get[@]}" install "${packages[@]}" >/dev/null && return
    echo "setup: apt-get could not install: ${packages[*]} (for clang and LLVM 22 see https://apt.llvm.org)" >&2
    exit 1
}

case "$level" in
build | test | soak) ;;
*) echo "usage: scripts/setup.sh [build|test|soak]" >&2 && exit 1 ;;
esac

if ! have cargo; then
    echo "setup: missing: Rust with cargo, 1.88 or newer (https://rustup.rs)" >&2
    exit 1
fi

probe
if [[ ${#packages[@]} -gt 0 ]]; then
    have apt-get || report
    install
    packages=()
    advice=()
    probe
    [[ ${#packages[@]} -eq 0 ]] || report
fi
