#!/usr/bin/env bash
# Verifies the programs in examples/: scripts/demo.sh BELAY
set -uo pipefail
cd "$(dirname "$0")/.."
bold="" plain=""
if [[ -t 1 ]]; then bold=$'\e[1m' plain=$'\e[0m'; fi
belay="${1:-target/release/belay}"

show() {
    printf '\n%s$ belay check examples/%s%s\n\n' "$bold" "$*" "$plain"
    "$belay" check "examples/$1" "${@:2}"
    local code=$?
    case $code in
    0 | 5 | 10) ;;
    *) echo "demo: belay failed with exit code $code" >&2 && exit 1 ;;
    esac
}

show sorted.c
show double_free.c --property memsafety
show string_copy_overflow.c --property memsafety
show off_by_one.c --property memsafety
show use_after_scope.c --property memsafety
show leak.c --property memsafety
show overflow.c --property no-overflow
show counted.c --property termination
show endless.c --property termination

printf '\nYour own program: %s check FILE.c   (see --help, and README.md for what the answers mean)\n' "$belay"
