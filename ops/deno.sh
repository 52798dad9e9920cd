#!/bin/sh
# Runs the tested version of Deno: `sh ops/deno.sh <arguments of deno>`. The first run downloads Deno with npm into a
# separate folder, because most installations do not need Deno.
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
