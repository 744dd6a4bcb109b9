#!/usr/bin/env bash
# A small set of tasks through BenchExec with the tool-info module of contrib/benchexec: scripts/soak_benchexec.sh BELAY
#
# BenchExec is taken from PATH, or installed into a fresh virtual environment. Where cgroups are not to be had, runs go without measuring.
set -euo pipefail
belay="$(readlink -f "${1:?usage: soak_benchexec.sh BELAY}")"
cd "$(dirname "$0")/.."
root="$PWD"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
benchexec=benchexec
if ! command -v benchexec >/dev/null; then
    if ! python3 -m venv "$folder/venv" || ! "$folder/venv/bin/pip" install -q benchexec; then
        echo "soak: BenchExec can't be installed: not tried" >&2
        exit 0
    fi
    benchexec="$folder/venv/bin/benchexec"
fi

mkdir -p "$folder/tasks" "$folder/bin"
ln -s "$belay" "$folder/bin/belay"
cd "$folder/tasks"
echo 'CHECK( init(main()), LTL(G ! call(reach_error())) )' > unreach-call.prp
printf 'CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\nCHECK( init(main()), LTL(G valid-memtrack) )\n' > valid-memsafety.prp
echo 'CHECK( init(main()), LTL(F end) )' > termination.prp
task() { # NAME PROPERTY EXPECTED [SUBPROPERTY]; the program on standard input
    cat > "$1.c"
    printf "format_version: '2.0'\ninput_files: '%s.c'\nproperties:\n  - property_file: %s.prp\n    expected_verdict: %s\n%soptions:\n  language: C\n  data_model: LP64\n" \
        "$1" "$2" "$3" "${4:+    subproperty: $4$'\n'}" > "$1.yml"
}
task safe valid-memsafety true <<< 'int main(void) { int a[4] = {0}; return a[3]; }'
task beyond valid-memsafety false valid-deref <<< 'int main(void) { int a[4] = {0}; return a[4]; }'
task lost valid-memsafety false valid-memtrack <<< '#include <stdlib.h>
int main(void) { malloc(4); return 0; }'
task ends termination true <<< 'int main(void) { for (int i = 0; i < 10; i++) ; return 0; }'
task endless termination false <<< 'int main(void) { for (;;) ; }'
task reached unreach-call false <<< 'void reach_error(void); int main(void) { reach_error(); return 0; }'
echo '*.yml' > all.set
cat > "$folder/belay.xml" <<X
<?xml version="1.0"?>
<!DOCTYPE benchmark PUBLIC "+//IDN sosy-lab.org//DTD BenchExec benchmark 2.3//EN" "https://www.sosy-lab.org/benchexec/benchmark-2.3.dtd">
<benchmark tool="contrib.benchexec.belay" timelimit="20 s" hardtimelimit="25 s">
  <rundefinition name="unreach"><tasks><includesfile>$folder/tasks/all.set</includesfile></tasks><propertyfile>$folder/tasks/unreach-call.prp</propertyfile></rundefinition>
  <rundefinition name="memory"><tasks><includesfile>$folder/tasks/all.set</includesfile></tasks><propertyfile>$folder/tasks/valid-memsafety.prp</propertyfile></rundefinition>
  <rundefinition name="ends"><tasks><includesfile>$folder/tasks/all.set</includesfile></tasks><propertyfile>$folder/tasks/termination.prp</propertyfile></rundefinition>
</benchmark>
X
cd "$folder"
run() { PYTHONPATH="$root" PATH="$folder/bin:$PATH" "$benchexec" belay.xml --tool-directory "$folder" --outputpath "$folder/results/" "$@" > "$folder/log" 2>&1; }
mkdir results
# Without a container where cgroups are there; else in one, unmeasured.
if ! run --no-container && ! run --read-only-dir / --hidden-dir /home --full-access-dir "$folder"; then
    sed -i 's/ timelimit="20 s" hardtimelimit="25 s"/ walltimelimit="25 s"/' belay.xml
    run --read-only-dir / --hidden-dir /home --full-access-dir "$folder" || { tail -20 log >&2; echo "soak: BenchExec does not run here: not tried" >&2; exit 0; }
fi
python3 - results <<'P'
import bz2, glob, sys, xml.etree.ElementTree as tree
found = []
for file in glob.glob(sys.argv[1] + "/*.xml*"):
    text = bz2.open(file).read() if file.endswith(".bz2") else open(file, "rb").read()
    if b"<run " not in text:
        continue
    for run in tree.fromstring(text).iter("run"):
        columns = {column.get("title"): column.get("value") for column in run.iter("column")}
        found.append((run.get("name").split("/")[-1], columns.get("category"), columns.get("status")))
found = sorted(set(found))
for one in found:
    print(*one)
right = [one for one in found if one[1] == "correct"]
sys.exit(0 if len(right) == 6 and len(found) == 6 else 1)
P
echo "soak: BenchExec: six tasks, all correct"
