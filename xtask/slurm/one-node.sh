#!/usr/bin/env bash
# Starts a Slurm of one node in a folder of its own, runs a command with it, and stops
# it: one-node.sh FOLDER COMMAND... Nothing outside the folder is touched, and another
# Slurm of the machine goes on: key, socket and ports are its own. Wants root, and the
# packages slurm-wlm and munge.
set -euo pipefail

if (($# < 2)); then
    echo "usage: one-node.sh FOLDER COMMAND..." >&2
    exit 2
fi
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
host=$(hostname -s)
PATH=$PATH:/usr/sbin:/sbin
mkdir -p "$folder"/{state,spool,munge}
chmod 0711 "$folder" "$folder/munge"

cat >"$folder/slurm.conf" <<CONF
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
SlurmUser=root
AuthType=auth/munge
CredType=cred/munge
# A requeued job begins when its old credential has expired: after two minutes, if
# nothing is said.
AuthInfo=socket=$folder/munge/socket,cred_expire=3
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=2,bf_interval=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
KillWait=2
ReturnToService=2
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF=$folder/slurm.conf

# By their pid files, and so no process but ours.
stop() {
    local name pid
    for name in slurmd slurmctld munged; do
        pid=$(cat "$folder/$name.pid" 2>/dev/null) || continue
        kill "$pid" 2>/dev/null || continue
        for _ in {1..50}; do
            kill -0 "$pid" 2>/dev/null || break
            sleep 0.1
        done
    done
}
trap stop EXIT

dd if=/dev/urandom of="$folder/munge/key" bs=128 count=1 status=none
chmod 0600 "$folder/munge/key"
munged --force --key-file="$folder/munge/key" --socket="$folder/munge/socket" \
    --pid-file="$folder/munged.pid" --log-file="$folder/munge/log" \
    --seed-file="$folder/munge/seed"
slurmctld -f "$SLURM_CONF"
slurmd -f "$SLURM_CONF" -N "$host"
for _ in {1..100}; do
    if sinfo --noheader --format=%T 2>/dev/null | grep -q '^idle'; then
        "$@"
        exit
    fi
    sleep 0.2
done
echo "error: the node is not idle after 20 s:" >&2
tail -n 5 "$folder"/slurm*.log >&2
exit 1
