#!/usr/bin/env bash
# Tries a tarball of scripts/release.sh in a root that has clang, the C library and a shell, and nothing else: scripts/try_tarball.sh TARBALL
#
# The root is a folder made of what this machine's clang needs, without Rust, LLVM's development files, z3 or Belay. The examples have to be verified in it. Needs root,
# for chroot.
set -euo pipefail
tarball="$(readlink -f "${1:?usage: try_tarball.sh TARBALL}")"
cd "$(dirname "$0")/.."
[[ "$(id -u)" == 0 ]] || { echo "try: chroot needs root: not tried" >&2; exit 1; }
root="$(mktemp -d)"
finish() {
    umount "$root/proc" 2>/dev/null || true
    # Never into a file system that is still mounted.
    rm -rf --one-file-system "$root"
}
trap finish EXIT

# with_libraries PROGRAM...: the program and what its loader looks for, at the same places.
with_libraries() {
    local program library
    for program in "$@"; do
        { echo "$program"; ldd "$program" | grep -o '/[^ ]*'; } | while read -r library; do
            [[ -e "$root$library" ]] || { mkdir -p "$root$(dirname "$library")" && cp -L "$library" "$root$library"; }
        done
    done
}

mkdir -p "$root"/{tmp,proc,dev,opt,usr/bin,work}
ln -s usr/bin "$root/bin"
chmod 1777 "$root/tmp"
mknod -m 666 "$root/dev/null" c 1 3
# The loader finds libraries beside a program by it.
mount -t proc proc "$root/proc"
clang="$(readlink -f "$(command -v clang-22)")"
with_libraries "$clang" /usr/bin/{dash,readlink,dirname}
ln -s dash "$root/usr/bin/sh"
ln -s "$clang" "$root/usr/bin/clang-22"
# What C programs include: the C library's headers and the compiler's own.
mkdir -p "$root/usr/lib/llvm-22/lib/clang/22"
cp -rL /usr/lib/llvm-22/lib/clang/22/include "$root/usr/lib/llvm-22/lib/clang/22/"
(cd /usr/include && tar -ch --exclude='llvm*' --exclude='c++' --exclude='python*' --exclude='clang*' .) | (mkdir -p "$root/usr/include" && tar -C "$root/usr/include" -x)
tar -C "$root/opt" -xzf "$tarball"
cp -r examples "$root/work/"
name="$(basename "$tarball" .tar.gz)"

belay() { env -i PATH=/usr/bin "$(command -v chroot)" "$root" sh -c 'cd /work && "$@"' sh "/opt/$name/bin/belay" "$@" 2>&1 || true; }

check() { # EXPECTED ARGUMENTS...
    local answer
    answer="$(belay check "${@:2}" | tail -1)"
    if [[ "$answer" != "$1" ]]; then
        echo "try: belay check ${*:2}: $answer instead of $1" >&2
        exit 1
    fi
    echo "$answer: ${*:2}"
}
check 'VERDICT memsafety true' examples/strlen.c --property memsafety
check 'VERDICT termination true' examples/counted.c --property termination
check 'VERDICT memsafety false(valid-free)' examples/double_free.c --property memsafety
check 'VERDICT memsafety false(valid-memtrack)' examples/leak.c --property memsafety
check 'VERDICT no-overflow false(no-overflow)' examples/overflow.c --property no-overflow
check 'VERDICT termination false(termination)' examples/endless.c --property termination
# The second solver comes along: nothing says that it was not there.
if belay check examples/sorted.c | grep -i 'second solver'; then
    echo "try: z3 is not found" >&2
    exit 1
fi
echo "try: the examples are verified in a root with clang and nothing else of ours"
