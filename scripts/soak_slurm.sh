#!/usr/bin/env bash
# A suite on a cluster of one node, whose daemons are killed in the middle: scripts/soak_slurm.sh BELAY [TASKS]
#
# Starts munged, slurmctld and slurmd of Debian's packages with files of their own in a fresh folder (root is needed), runs a suite as a job array, kills first
# the node's daemon with all that runs under it and then the controller, starts both again, and compares the table with that of the same suite without a cluster. Ends
# the daemons that it started, by their numbers.
set -euo pipefail
belay="$(readlink -f "${1:?usage: soak_slurm.sh BELAY [TASKS]}")"
tasks="${2:-40}"
for tool in munged mungekey slurmctld slurmd sbatch squeue scontrol; do
    command -v "$tool" >/dev/null || { echo "soak: $tool is missing (apt-get install slurmctld slurmd slurm-client munge): not tried" >&2; exit 0; }
done
[[ "$(id -u)" == 0 ]] || { echo "soak: Slurm's daemons need root: not tried" >&2; exit 0; }

folder="$(mktemp -d)"
# The daemon of munge runs as a user of its own and wants folders that nobody else can write to.
chmod 755 "$folder"
daemons=()
finish() {
    for pid in "${daemons[@]}"; do kill "$pid" 2>/dev/null || true; done
    sleep 1
    for pid in "${daemons[@]}"; do kill -9 "$pid" 2>/dev/null || true; done
    rm -rf "$folder"
}
trap finish EXIT

mkdir -p "$folder/munge" "$folder/state" "$folder/spool"
chown munge: "$folder/munge"
chmod 711 "$folder/munge"
socket="$folder/munge/socket"
runuser -u munge -- mungekey --create --keyfile "$folder/munge/key"
runuser -u munge -- munged --foreground --force --key-file "$folder/munge/key" --socket "$socket" --pid-file "$folder/munge/pid" \
    --log-file "$folder/munge/log" --seed-file "$folder/munge/seed" 2>/dev/null &
daemons+=($!)
for _ in $(seq 50); do [[ -S "$socket" ]] && break; sleep 0.1; done

host="$(hostname -s)"
export SLURM_CONF="$folder/slurm.conf"
cat > "$SLURM_CONF" <<C
ClusterName=soak
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=27817
SlurmdPort=27818
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$socket
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
SlurmdTimeout=15
MinJobAge=30
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=soak Nodes=$host Default=YES MaxTime=INFINITE State=UP
C

start_controller() { slurmctld -D & controller=$!; daemons+=("$controller"); }
start_node() { slurmd -D & node=$!; daemons+=("$node"); }
start_controller 2>>"$folder/daemons.log"
start_node 2>>"$folder/daemons.log"
for _ in $(seq 100); do sinfo --noheader 2>/dev/null | grep -q idle && break; sleep 0.2; done
sinfo

mkdir "$folder/programs"
for number in $(seq "$tasks"); do
    if ((number % 3)); then index=$((number % 4)) expected=true; else index=4 expected='false(valid-deref)'; fi
    printf '//~ memsafety: %s\nint main(void) { int a[4] = {0}; return a[%d]; }\n' "$expected" "$index" > "$folder/programs/p$(printf %03d "$number").c"
done
suite=("$belay" suite "$folder/programs" --time-limit 20)
"${suite[@]}" --out "$folder/alone.jsonl" > "$folder/alone.txt"
"${suite[@]}" --out "$folder/cluster.jsonl" --slurm 4 --folder "$folder/shared" > "$folder/cluster.txt" &
run=$!
sleep 3
# The node dies with what it runs: its daemon, the jobs' own ones, and the parts under them.
echo "killing the node's daemon"
kill -9 "$node" 2>/dev/null || true
for part in $(pgrep -f "$folder/shared" || true); do [[ "$part" != "$run" && "$part" != $$ ]] && kill -9 "$part" 2>/dev/null || true; done
sleep 2
echo "killing the controller"
kill -9 "$controller" 2>/dev/null || true
sleep 2
start_controller 2>>"$folder/daemons.log"
start_node 2>>"$folder/daemons.log"
if ! wait "$run"; then
    echo "soak: the suite on the cluster failed" >&2
    tail -5 "$folder"/slurm*.log >&2
    exit 1
fi
table() { sed 's/ points.*//' "$1"; }
if ! diff <(table "$folder/alone.txt") <(table "$folder/cluster.txt"); then
    echo "soak: the tables differ" >&2
    exit 1
fi
[[ "$(wc -l < "$folder/cluster.jsonl")" == "$tasks" ]] || { echo "soak: a task is there twice, or not at all" >&2; exit 1; }
echo "soak: $tasks tasks on a cluster whose daemons were killed: the same table"
