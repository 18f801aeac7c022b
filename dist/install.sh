#!/usr/bin/env bash
# dist/install.sh TREE ROOT ZSH: lays the files of the folder TREE, which the tar.gz has, out in ROOT as packages do. ZSH
# is the folder for completions of zsh, which differs between systems.
set -euo pipefail
(($# == 3)) || { sed -n '2,3s/^# //p' "$0" >&2; exit 2; }
tree=$1 root=$2 zsh=$3
files=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/files" && pwd)

install -d "$root"/usr/{bin,lib/rivulet,share/{bash-completion,man/man1,doc/rivulet}} "$root$zsh"
cp -a "$tree"/{bin,jre,lib,native,rivulet.jar,classes.jsa,jvm.options,collector.options} "$root/usr/lib/rivulet"
ln -s ../lib/rivulet/bin/rivulet "$root/usr/bin/rivulet"
for page in "$tree"/share/man/man1/*; do
  gzip -9n <"$page" >"$root/usr/share/man/man1/${page##*/}.gz"
done
cp -a "$tree/share/bash-completion/completions" "$root/usr/share/bash-completion"
cp -a "$tree/share/zsh/site-functions/_rivulet" "$root$zsh"
cp -a "$tree"/doc/* "$root/usr/share/doc/rivulet"
install -D -m 644 "$files/rivulet.service" "$root/usr/lib/systemd/system/rivulet.service"
install -D -m 644 "$files/server.properties" "$root/etc/rivulet/server.properties"
