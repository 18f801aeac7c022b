#!/usr/bin/env bash
# dist/deb/build.sh TREE VERSION DIR: makes a .deb in DIR from the folder that dist/build.sh packs into the tar.gz.
# VERSION is that of Maven: 0.1.0-SNAPSHOT becomes 0.1.0~snapshot, which is older than 0.1.0.
set -euo pipefail
(($# == 3)) || { sed -n '2,3s/^# //p' "$0" >&2; exit 2; }
tree=$(cd "$1" && pwd) version=$2 out=$3
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
: "${SOURCE_DATE_EPOCH:?the time of the files in the package, in seconds since 1970}"
version=${version,,} version=${version/-/\~}
machine=$(dpkg --print-architecture)

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
root=$scratch/root
"$here/../install.sh" "$tree" "$root" /usr/share/zsh/vendor-completions
doc=$root/usr/share/doc/rivulet
cp "$here/copyright" "$doc"
printf 'rivulet (%s) unstable; urgency=medium\n\n  * Built from the sources of this version; their CHANGELOG.md has what is new.\n\n -- %s  %s\n' \
  "$version" "$(sed -n 's/^Maintainer: //p' "$here/control")" "$(date -u -R -d "@$SOURCE_DATE_EPOCH")" |
  gzip -9n >"$doc/changelog.gz"
install -D -m 644 "$here/lintian-overrides" "$root/usr/share/lintian/overrides/rivulet"

mkdir "$root/DEBIAN"
kilobytes=$(du -k -s --apparent-size --exclude=DEBIAN "$root" | cut -f 1)
sed "s/@VERSION@/$version/; s/@MACHINE@/$machine/; s/@KILOBYTES@/$kilobytes/" "$here/control" >"$root/DEBIAN/control"
printf '/etc/rivulet/server.properties\n' >"$root/DEBIAN/conffiles"
install -m 644 "$here/templates" "$root/DEBIAN"
install -m 755 "$here"/{postinst,prerm,postrm} "$root/DEBIAN"
(cd "$root" && find . -type f ! -path './DEBIAN/*' ! -path './etc/*' -printf '%P\0' | LC_ALL=C sort -z |
  xargs -0 md5sum) >"$root/DEBIAN/md5sums"
chmod -R u=rwX,go=rX "$root"
find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
# gzip: a sixth larger than xz, and made in a tenth of its time.
dpkg-deb --root-owner-group -Zgzip -z6 --build "$root" "$out/rivulet_${version}_$machine.deb" >&2
