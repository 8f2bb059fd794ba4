#!/usr/bin/env bash
# The demo: real data, a plan, a training run, and where to look next.
#
#   tools/demo.sh SPEC
set -euo pipefail
cd "$(dirname "$0")/.."
spec=$1

bold=$([ -t 1 ] && [ -z "${NO_COLOR:-}" ] && printf '\033[1m' || true)
plain=${bold:+$(printf '\033[0m')}

recplat() {
  printf '\n%s$ recplat %s%s\n' "$bold" "$*" "$plain"
  .venv/bin/recplat "$@"
}

recplat data fetch movielens-100k
recplat data stats "$spec"
recplat plan "$spec"
recplat apply "$spec"
cat <<END

Look further (\`. .venv/bin/activate\` puts recplat on your path):
  recplat runs list                        all runs; \`runs show\` and \`runs compare\` go deeper
  recplat apply specs/ml100k-dcn-v2.yaml   the same data, another model
  recplat init first --template dlrm       a spec of your own, on made-up data
  docs/tutorial.md                         the same, step by step
END
