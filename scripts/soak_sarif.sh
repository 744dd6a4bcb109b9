#!/usr/bin/env bash
# Logs in SARIF of all test programs, by Microsoft's own validator: scripts/soak_sarif.sh BELAY [EVERY]
#
# The validator is `sarif-multitool` on PATH, or taken from npm. An error of it, a log of 10 MB, or a log without an answer fails. With EVERY only one program in so many is looked at.
set -euo pipefail
belay="$(readlink -f "${1:?usage: soak_sarif.sh BELAY [EVERY]}")"
every="${2:-1}"
cd "$(dirname "$0")/.."
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
multitool="$(command -v sarif-multitool || true)"
if [[ -z "$multitool" ]]; then
    if ! npm install --silent --no-fund --prefix "$folder/npm" @microsoft/sarif-multitool >/dev/null 2>&1; then
        echo "soak: @microsoft/sarif-multitool can't be installed: not tried" >&2
        exit 0
    fi
    multitool="$folder/npm/node_modules/.bin/sarif-multitool"
fi
mkdir "$folder/logs"
number=0
failed=0
for program in tests/{memory,overflow,reach,termination,frontend,fixme}/*.c; do
    number=$((number + 1))
    ((number % every == 0)) || continue
    log="$folder/logs/$(basename "$(dirname "$program")")-$(basename "$program" .c).sarif"
    # Options of the program's own; files that they name lie beside it.
    options="$(sed -n 's|^ *//~ options: ||p' "$program" | tr '\n' ' ')"
    own="${options%%-- *}"
    clang=""
    [[ "$options" == *"-- "* ]] && clang="${options#*-- }"
    limit="--time-limit 10"
    [[ "$own" == *--time-limit* ]] && limit=""
    code=0
    # shellcheck disable=SC2086  # options are words
    (cd "$(dirname "$program")" && "$belay" check --format sarif $own $limit "$(basename "$program")" -- $clang) > "$log" 2>/dev/null || code=$?
    case "$code" in
    0 | 5 | 10) ;;
    *) echo "soak: $program: exit code $code" >&2 && failed=1 ;;
    esac
    if (($(stat -c %s "$log") >= 10000000)); then
        echo "soak: $program: $(stat -c %s "$log") bytes" >&2
        failed=1
    fi
done
logs=("$folder"/logs/*.sarif)
for ((at = 0; at < ${#logs[@]}; at += 50)); do
    "$multitool" validate "${logs[@]:at:50}" > "$folder/said" 2>&1 || true
    grep -E ": error |Unhandled|rror: " "$folder/said" >&2 && failed=1
    cat "$folder/said" >> "$folder/all"
done
largest="$(du -b "${logs[@]}" | sort -n | tail -1 | cut -f1)"
if ((failed)); then
    exit 1
fi
echo "soak: ${#logs[@]} logs, the largest of $largest bytes: no error by $({ "$multitool" --version 2>&1 || true; } | tail -1)"
