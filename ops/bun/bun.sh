#!/bin/sh
# The `bun` command of this repository: starts the build of Bun that npm installed for this machine. The npm package
# `bun` copies the build in an install script; install scripts are off (docs/dependencies.md).
set -eu
packages="$(dirname "$(readlink -f "$0")")/../../node_modules"
case "$(uname -sm)" in
  "Linux x86_64") build=linux-x64 ;;
  "Linux aarch64") build=linux-aarch64 ;;
  "Darwin x86_64") build=darwin-x64 ;;
  "Darwin arm64") build=darwin-aarch64 ;;
  *) echo "There is no build of Bun for $(uname -sm)." >&2; exit 1 ;;
esac
# npm installs the build of the C library of Node.js; a package musl beside glibc does not change it.
if [ ! -x "$packages/bun-$build/bin/bun" ] && [ -x "$packages/bun-$build-musl/bin/bun" ]; then build=$build-musl; fi
# The build needs AVX2; a virtual machine with an old CPU model (kvm64) ends with "Illegal instruction".
if [ "$build" != "${build#linux-x64}" ] && [ -r /proc/cpuinfo ] && ! grep -qw avx2 /proc/cpuinfo; then
  baseline="$build-baseline"
  if [ ! -x "$packages/bun-$baseline/bin/bun" ]; then
    version=$("${NODE:-node}" -p "require('$packages/bun-$build/package.json').version" 2>/dev/null || echo '<version>')
    echo "This CPU has no AVX2. Install the build for older CPUs:" >&2
    echo "  npm install --no-save bun-$baseline@npm:@oven/bun-$baseline@$version" >&2
    exit 1
  fi
  build=$baseline
fi
program="$packages/bun-$build/bin/bun"
if [ ! -x "$program" ]; then
  echo "bun-$build is not installed: run npm install, with optional dependencies." >&2
  exit 1
fi
exec "$program" "$@"
