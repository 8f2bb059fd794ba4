#!/usr/bin/env bash
# The demo: real data, a plan, a training run, and where to look next.
#
#   tools/demo.sh SPEC
set -euo pipefail
cd "$(dirname "$0")/.."
spec=$1

say() { printf '\n\033[1m$ recplat %s\033[0m\n' "$*"; }
recplat() {
  say "$@"
  .venv/bin/recplat "$@"
}

recplat data fetch movielens-100k
recplat plan "$spec"
recplat apply "$spec"
cat <<END

Look further (. .venv/bin/activate puts recplat on your path):
  recplat runs list                        all runs; \`runs show ID\` and \`runs compare A B\` go deeper
  recplat diff $spec --against LAST   what a change of the file would mean
  recplat apply specs/ml100k-dcn-v2.yaml   the same data, another model
  recplat init NAME --template dlrm        a spec of your own
  docs/tutorial.md                         the same, step by step
END
