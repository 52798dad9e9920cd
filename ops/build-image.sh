#!/bin/sh
# Builds the image of the service with buildah: sh ops/build-image.sh [bun|deno]. Needs root, Debian's packages `buildah`
# and `debootstrap`, and Node.js 20 with npm on PATH; no registry of images, no container engine and no Docker daemon.
# The same checkout and the same state of Debian's mirror give the same digest: every file has the time of the commit,
# fixed modes and owners, and no log or cache of the build remains.
#   IMAGE               the name of the image; default identity-service, on Deno identity-service:deno
#   IMAGE_BASES         `debootstrap` (default) makes the base images that ops/Containerfile names from Debian's mirror
#                       and from the Node.js of this machine; `registry` pulls the images
#   DEBIAN_IMAGE, NODE_IMAGE   the base images, for example by digest
#   STORAGE_ROOT        a folder for images instead of the storage of the machine
#   SOURCE_DATE_EPOCH   the time of all files; default: the time of the commit
#   DEBIAN_MIRROR       default http://deb.debian.org/debian
set -eu
cd "$(dirname "$0")/.."
target="${1:-bun}"
if [ "$target" = bun ]; then image="${IMAGE:-identity-service}"; else image="${IMAGE:-identity-service:$target}"; fi
mirror="${DEBIAN_MIRROR:-http://deb.debian.org/debian}"
debian="${DEBIAN_IMAGE:-docker.io/library/debian:trixie-slim}"
node="${NODE_IMAGE:-docker.io/library/node:20-slim}"
SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}"
export SOURCE_DATE_EPOCH

for program in buildah debootstrap node npm tar; do
  command -v "$program" >/dev/null || { echo "The image needs $program on PATH." >&2; exit 1; }
done
[ "$(id -u)" = 0 ] || { echo "The image needs root, for debootstrap." >&2; exit 1; }

# Containers are chroots here: a build needs no namespaces, and runs within a container of CI.
export BUILDAH_ISOLATION=chroot
storage() { command buildah ${STORAGE_ROOT:+--root "$STORAGE_ROOT" --runroot "$STORAGE_ROOT/run"} "$@"; }

work="$(mktemp -d /var/tmp/identity-image-XXXXXX)"
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# Makes an image of a folder: sorted names, one time, owners by number.
image_of_folder() {
  tar -C "$1" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --numeric-owner --format=gnu -cf "$work/layer.tar" .
  container="$(storage from scratch)"
  storage add --quiet "$container" "$work/layer.tar" / >/dev/null
  storage commit --quiet --rm --timestamp "$SOURCE_DATE_EPOCH" "$container" "$2" >/dev/null
  rm "$work/layer.tar"
}

# Debian's slim image: the minimal variant without documents, translations, logs and caches.
make_debian() {
  debootstrap --variant=minbase trixie "$work/debian" "$mirror" >"$work/log" || { tail -5 "$work/log" >&2; exit 1; }
  (
    cd "$work/debian"
    find usr/share/doc -type f ! -name copyright -delete
    rm -rf usr/share/locale/* usr/share/man/* usr/share/info/* usr/share/lintian \
      var/log/* var/cache/apt/* var/cache/ldconfig/* var/cache/debconf/*-old var/lib/apt/lists/* var/lib/dpkg/*-old \
      etc/*- etc/machine-id etc/resolv.conf etc/hostname dev/*
    find usr/lib -type d -name __pycache__ -prune -exec rm -rf {} +
  )
  image_of_folder "$work/debian" "$debian"
}

# Debian with the Node.js and the npm of this machine, for the stages that install packages; the service never runs here.
make_node() {
  npm_folder="$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")"
  mkdir -p "$work/debian/usr/local/bin" "$work/debian/usr/local/lib/node_modules" "$work/debian/usr/local/etc"
  cp "$(readlink -f "$(command -v node)")" "$work/debian/usr/local/bin/node"
  cp -R "$npm_folder" "$work/debian/usr/local/lib/node_modules/npm"
  ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$work/debian/usr/local/bin/npm"
  # Authorities that this machine adds to those of Node.js, such as the authority of a proxy.
  if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
    mkdir -p "$work/debian/usr/local/etc"
    cp "$NODE_EXTRA_CA_CERTS" "$work/debian/usr/local/etc/extra.pem"
    echo "cafile=/usr/local/etc/extra.pem" >"$work/debian/usr/local/lib/node_modules/npm/npmrc"
  fi
  image_of_folder "$work/debian" "$node"
}

# The files that the build may see, with modes independent of the umask of the checkout.
make_context() {
  mkdir "$work/context"
  sed -n 's/^!//p' ops/Containerfile.dockerignore | sort -u >"$work/files"
  tar --mode='a=rX,u+w' -cf - -T "$work/files" | tar -C "$work/context" --no-same-owner -xf -
}

if [ "${IMAGE_BASES:-debootstrap}" = debootstrap ]; then
  if ! storage inspect --type image "$debian" >/dev/null 2>&1 || ! storage inspect --type image "$node" >/dev/null 2>&1
  then make_debian; make_node; rm -rf "$work/debian"; fi
  pull=never
else
  pull=ifnewer
fi
make_context
# The format of Docker: the format of OCI has no health check.
storage build --quiet --format docker --pull="$pull" --layers=false --timestamp "$SOURCE_DATE_EPOCH" \
  --build-arg "DEBIAN_IMAGE=$debian" --build-arg "NODE_IMAGE=$node" --target "$target" -f ops/Containerfile -t "$image" "$work/context" >/dev/null

# buildah writes random names of the build into the configuration.
built="$(storage inspect --type image --format '{{.FromImageID}}' "$image")"
storage push --quiet --disable-compression "$built" "dir:$work/image"
node ops/normalize-image.mjs "$work/image"
loaded="$(storage pull --quiet "dir:$work/image")"
storage tag "$loaded" "$image"
[ "$loaded" = "$built" ] || storage rmi "$built" >/dev/null
storage inspect --type image --format '{{.FromImageDigest}}' "$image"
