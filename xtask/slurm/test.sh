#!/usr/bin/env bash
# Eight array tasks on a real Slurm of one node, one of them killed and requeued: the
# merged games are those of a run on this machine, to the byte. XTASK is the program.
# Run by `cargo xtask ci --only slurm` and by `cargo xtask test --slow`.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if (($# == 0)); then
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    "$here/one-node.sh" "$folder/slurm" "$here/test.sh" "$folder"
    exit
fi
folder=$1
arguments=(--variant mini --agent heuristic:depth=2 --agent greedy --variant akioi
    --games "${GAMES:-30}" --seed 6)
"$XTASK" tournament "${arguments[@]}" --out "$folder/local" >/dev/null

"$here/../../docs/cluster/submit.sh" 8 "$folder/run" "${arguments[@]}" \
    >"$folder/submit.log" 2>&1 &
submit=$!

# A task with a game on disk is killed in the midst of the others, and requeued. It is
# stopped before its journal is looked at again: it may have come to its end meanwhile,
# and then another one has to do.
shard=
killed=
for _ in {1..1500}; do
    for journal in "$folder"/run/shard-*/journal.jsonl; do
        [[ -s $journal ]] || continue
        shard=$(basename "$(dirname "$journal")")
        pid=$(pgrep -f "tournament .*--out $folder/run/$shard " | head -n 1) || continue
        [[ -n $pid ]] && kill -STOP "$pid" 2>/dev/null || continue
        kept=$({ wc -l <"$journal"; } 2>/dev/null) || kept=0
        if ((kept > 0)) && kill -9 "$pid" 2>/dev/null; then
            killed=yes
            break 2
        fi
        kill -CONT "$pid" 2>/dev/null || true
    done
    kill -0 "$submit" 2>/dev/null || break
    sleep 0.02
done
if [[ -n $killed ]]; then
    job=$(squeue --noheader --array --format=%F | head -n 1)
    # It may be on its way out, when Slurm says to ask again.
    for _ in {1..50}; do
        scontrol requeue "${job}_${shard#shard-}" 2>/dev/null && break
        sleep 0.2
    done
    # It would wait until its old credential has expired, which takes minutes.
    for _ in {1..50}; do
        scontrol update jobid="${job}_${shard#shard-}" starttime=now 2>/dev/null && break
        sleep 0.2
    done
fi
status=0
wait "$submit" || status=$?
if ((status != 0)); then
    # The wait of sbatch may have seen the killed task: the same command goes on,
    # when the requeued task is through.
    for _ in {1..600}; do
        [[ -n $(squeue --noheader) ]] || break
        sleep 0.1
    done
    "$here/../../docs/cluster/submit.sh" 8 "$folder/run" "${arguments[@]}" \
        >>"$folder/submit.log" 2>&1 || {
        cat "$folder/submit.log" "$folder"/run/*.log >&2
        exit 1
    }
fi
if [[ -z $killed ]]; then
    echo "error: every task was over before one could be killed: set GAMES higher" >&2
    exit 1
fi
cmp "$folder/local/games.jsonl" "$folder/run/whole/games.jsonl"
echo "slurm: 8 tasks, $shard killed with $kept games on disk and requeued, $(wc -l \
    <"$folder/run/whole/games.jsonl") games as on this machine"
