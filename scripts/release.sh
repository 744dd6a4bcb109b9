#!/usr/bin/env bash
# Builds a tarball with all of Belay but clang: scripts/release.sh [FOLDER]
#
# BELAY=PROGRAM takes a program that is built already; without it the release profile is built.
#
# In it: bin/belay (a script that finds its libraries), lib/ (the program, LLVM and what else it loads, but for the C library), z3, the licence.
# What the machine must have is clang 22, on PATH as clang-22 or named by BELAY_CLANG.
set -euo pipefail
cd "$(dirname "$0")/.."
out="${1:-target/release-tarball}"
if [[ -z "${BELAY:-}" ]]; then
    scripts/setup.sh build
    cargo build --release --locked
fi
belay="${BELAY:-${CARGO_TARGET_DIR:-target}/release/belay}"
name="belay-$("$belay" --version | cut -d' ' -f2)-$(uname -m)-linux"
root="$out/$name"
rm -rf "$root"
mkdir -p "$root/bin" "$root/lib"
cp "$belay" "$root/lib/belay"
cp "$(command -v z3)" "$root/lib/z3"
# Everything that the loader would look for, but for the C library and the loader, which belong to the machine.
for program in "$root/lib/belay" "$root/lib/z3"; do
    ldd "$program" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' |
        grep -Ev '/(libc|libm|libdl|libpthread|librt|ld-linux[^/]*)\.so' | while read -r library; do cp -Ln "$library" "$root/lib/"; done
done
cat > "$root/bin/belay" <<'S'
#!/bin/sh
here=$(CDPATH= cd -- "$(dirname -- "$(readlink -f -- "$0")")/.." && pwd)
# Compilers get the machine's own libraries again.
export BELAY_OUTER_LIBRARY_PATH="${BELAY_OUTER_LIBRARY_PATH-${LD_LIBRARY_PATH-}}"
LD_LIBRARY_PATH="$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" PATH="$here/lib:$PATH" exec "$here/lib/belay" "$@"
S
chmod +x "$root/bin/belay"
cp -r LICENSE README.md contrib include "$root/"
# Names and lines are of no use without the sources; the program is a third of its size without them.
command -v strip >/dev/null && strip "$root/lib/belay"
tar -C "$out" -czf "$out/$name.tar.gz" "$name"
echo "$out/$name.tar.gz"
