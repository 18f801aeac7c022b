#!/usr/bin/env bash
# dist/rpm/build.sh TREE VERSION DIR: makes an .rpm in DIR from the folder that dist/build.sh packs into the tar.gz.
# VERSION is that of Maven: 0.1.0-SNAPSHOT becomes 0.1.0~snapshot, which is older than 0.1.0.
set -euo pipefail
(($# == 3)) || { sed -n '2,3s/^# //p' "$0" >&2; exit 2; }
tree=$(cd "$1" && pwd) version=$2 out=$(cd "$3" && pwd)
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
: "${SOURCE_DATE_EPOCH:?the time of the files in the package, in seconds since 1970}"
export SOURCE_DATE_EPOCH
version=${version,,} version=${version/-/\~}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$here/../install.sh" "$tree" "$scratch/root" /usr/share/zsh/site-functions
cp "$tree/LICENSE" "$scratch/root/usr/share/doc/rivulet"
chmod -R u=rwX,go=rX "$scratch/root"
find "$scratch/root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
# The build moves this folder to where it wants it. A fixed host and time, so that the same files give the same bytes.
rpmbuild -bb --quiet --target "$(uname -m)" \
  --define "_topdir $scratch/top" --define "_rpmdir $out" --define "_tmppath $scratch" --define "_dbpath $scratch/db" \
  --define '_build_name_fmt %%{NAME}-%%{VERSION}-%%{RELEASE}.%%{ARCH}.rpm' --define '_buildhost rivulet' \
  --define 'use_source_date_epoch_as_buildtime 1' --define 'clamp_mtime_to_source_date_epoch 1' \
  --define "laid_out $scratch/root" --define "rivulet_version $version" "$here/rivulet.spec" >&2
