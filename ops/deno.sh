#!/bin/sh
# Runs Deno of the version that this project is tested with: `sh ops/deno.sh <arguments of deno>`. Fetched once with
# npm, into a folder of its own, because most installations do not need it.
set -eu
version=2.9.6
folder="$(dirname "$0")/../.deno/$version"
find_deno() { ls "$folder"/node_modules/@deno/*/deno 2>/dev/null; }
if ! find_deno >/dev/null; then
  echo "Fetching deno@$version with npm into .deno/ (92 MB, once)." >&2
  mkdir -p "$folder"
  npm install --prefix "$folder" --no-save --no-audit --no-fund --ignore-scripts --loglevel=error "deno@$version" >&2 ||
    { echo "deno@$version could not be fetched with npm." >&2; exit 1; }
fi
exec "$(find_deno)" "$@"
