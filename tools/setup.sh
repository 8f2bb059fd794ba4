#!/usr/bin/env bash
# Makes or updates the environment in .venv.
#
#   tools/setup.sh cpu|cuda [dev]
#
# PYTHON names the interpreter; by default the newest of python3.11, 3.12, … that is found. Versions come from
# constraints.txt. Running it again, or after it was interrupted, is safe: it goes on where it stopped.
set -euo pipefail
cd "$(dirname "$0")/.."

accel=${1:?"usage: tools/setup.sh cpu|cuda [dev]"}
extras=torchrec,tracking${2:+,kubernetes,$2}
case $accel in
  cpu) fbgemm=fbgemm-gpu-cpu other=fbgemm-gpu ;;
  cuda) fbgemm=fbgemm-gpu other=fbgemm-gpu-cpu ;;
  *) echo "ACCEL is \`$accel\`: write ACCEL=cpu or ACCEL=cuda" >&2; exit 2 ;;
esac
python=.venv/bin/python

find_python() {
  local candidate
  for candidate in ${PYTHON:-python3.11 python3.12 python3.13 python3.14 python3}; do
    if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      echo "$candidate"
      return
    fi
  done
  echo "no Python 3.11 or later with venv and ensurepip: install one (Debian: apt-get install python3-venv)," \
    "or name it: make setup PYTHON=/path/to/python3.11" >&2
  exit 1
}

make_venv() {
  # An interrupted `venv` leaves a folder without pip.
  "$python" -m pip --version >/dev/null 2>&1 && return
  rm -rf .venv
  local found
  found=$(find_python)
  echo "making .venv with $found"
  "$found" -m venv .venv
}

forget_half_installed() {
  # pip writes INSTALLER last: metadata without it belongs to a package whose installation was cut off, which pip would
  # otherwise take for installed.
  "$python" - <<'END'
import pathlib, shutil, sysconfig

for folder in pathlib.Path(sysconfig.get_path("purelib")).glob("*.dist-info"):
    if not (folder / "INSTALLER").exists():
        print(f"installing again what was interrupted: {folder.name}")
        shutil.rmtree(folder)
END
}

install() {
  # --no-warn-conflicts: pip would warn at each later run that torchrec lacks the CUDA build of fbgemm.
  "$python" -m pip install --quiet --disable-pip-version-check --no-warn-conflicts --constraint constraints.txt "$@"
}

make_venv
forget_half_installed
rm -f .venv/.setup-*
# Both builds of fbgemm unpack into the same folder, so removing one breaks the other: both go.
if "$python" -m pip show --quiet "$other" 2>/dev/null; then
  "$python" -m pip uninstall --quiet --quiet --yes fbgemm-gpu fbgemm-gpu-cpu
fi
echo "installing recplat[$extras]: torch is large, the first time this takes minutes"
install setuptools
install --no-build-isolation --editable ".[$extras]"
# --no-deps: torchrec's metadata asks for the CUDA build of fbgemm on every machine; the extra `torchrec` has the rest.
echo "installing torchrec and $fbgemm"
install --no-deps torchrec "$fbgemm"
