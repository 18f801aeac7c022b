#!/usr/bin/env bash
# dist/bare-debian.sh: prints the name of a tar.gz with a bare Debian, and makes it once, which needs root, debootstrap
# and a mirror. Tests of the packages and the image's stand-in for debian:bookworm-slim use it.
set -euo pipefail
cache=${XDG_CACHE_HOME:-$HOME/.cache}/rivulet
tar=$cache/bookworm-minbase.tar.gz

if [[ ! -s $tar ]]; then
  command -v debootstrap >/dev/null || { printf 'dist/bare-debian.sh: debootstrap is not installed\n' >&2; exit 1; }
  printf '=== making a Debian with debootstrap\n' >&2
  root=$(mktemp -d)
  trap 'rm -rf "$root"' EXIT
  debootstrap --variant=minbase bookworm "$root" >&2
  rm -rf "$root"/usr/share/{doc,man,locale,info,lintian} "$root"/var/lib/apt/lists/* \
    "$root"/var/cache/{apt,debconf}/* "$root"/var/log/*
  mkdir -p "$cache"
  tar -C "$root" --one-file-system --exclude='./dev/*' --exclude='./proc/*' --exclude='./sys/*' -c . |
    gzip -1 >"$tar.part"
  mv "$tar.part" "$tar"
fi
printf '%s\n' "$tar"
