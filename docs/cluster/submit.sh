#!/usr/bin/env bash
# Submits a tournament as a Slurm job array, waits for all tasks, and merges:
#
#     docs/cluster/submit.sh 8 out/big --variant mini --agent heuristic --games 100000
#
# Shards are left in out/big/shard-1 to -8, the result is out/big/whole. The folder
# has to be on a file system that all nodes share. SBATCH_ARGS are further arguments
# of sbatch, such as a partition; XTASK is the program.
set -euo pipefail

if (($# < 2)) || ! [[ $1 =~ ^[1-9][0-9]*$ ]]; then
    echo "usage: submit.sh TASKS OUT [arguments of cargo xtask tournament]" >&2
    exit 2
fi
tasks=$1
out=$2
shift 2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
XTASK=${XTASK:-$(cd "$here/../.." && pwd)/target/release/xtask}
export XTASK
if [[ ! -x $XTASK ]]; then
    echo "error: no $XTASK: cargo build --release --package xtask makes it" >&2
    exit 2
fi
export SHARDS=$tasks
mkdir -p "$out"
# A run that is gone on with has to be the same one.
asked="$tasks $*"
if [[ -e $out/asked && $(<"$out/asked") != "$asked" ]]; then
    echo "error: $out was begun with other arguments: $(<"$out/asked")" >&2
    exit 2
fi
echo "$asked" >"$out/asked"

# Waits for the end of all tasks; its status is that of the worst one.
read -ra further <<<"${SBATCH_ARGS:-}"
status=0
sbatch --wait --array="1-$tasks" --output="$out/shard-%a.log" "${further[@]}" \
    "$here/tournament.sbatch" "$out" "$@" || status=$?
if ((status != 0)); then
    echo "error: a task failed, see $out/shard-*.log; the same command goes on" >&2
    exit 1
fi
shards=()
for ((part = 1; part <= tasks; part++)); do
    shards+=("$out/shard-$part")
done
exec "$XTASK" merge "${shards[@]}" --out "$out/whole"
