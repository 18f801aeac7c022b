#!/usr/bin/env bash
# dist/build.sh [--out DIR] [--list-classes]: makes a tar.gz with its own Java runtime, a .deb and an .rpm of this
# machine's kind in DIR, by default dist/target. Needs Maven, a JDK 25 or newer (JAVA_HOME, else in /usr/lib/jvm),
# binutils, dpkg and rpm. The same sources and the same JDK give the same bytes.
# --list-classes first writes dist/classes.txt anew, which makes starts fast: now and then, and before a release.
# Reasons: docs/decisions/0052-packages.md
set -euo pipefail
home=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
out=$home/dist/target
list=

fail() { printf 'dist/build.sh: %s\n' "$*" >&2; exit 1; }
say() { printf '=== %s\n' "$*" >&2; }

while (($#)); do
  case $1 in
    --out) (($# > 1)) || fail "--out needs a folder"; out=$2; shift 2 ;;
    --list-classes) list=1; shift ;;
    -h | --help) sed -n '2,5s/^# //p' "$0"; exit ;;
    *) fail "unknown argument $1; usage: dist/build.sh [--out DIR] [--list-classes]" ;;
  esac
done

find_jdk() {
  local release major
  for release in "${JAVA_HOME:-/none}"/release /usr/lib/jvm/*/release; do
    major=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$release" 2>/dev/null || true)
    if ((${major:-0} >= 25)) && [[ -x ${release%/release}/bin/jlink ]]; then
      printf '%s\n' "${release%/release}"
      return
    fi
  done
  fail "JAVA_HOME and /usr/lib/jvm have no JDK 25 or newer"
}

# stamp DIR: gives all files the time of the release, and rights that do not depend on the umask.
stamp() {
  chmod -R u=rwX,go=rX "$1"
  find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
}

# archive_classes TREE: has the JVM parse and verify classes now, and not at each start. Which ones is in dist/classes.txt:
# what a run loads depends on its timing a little. Without random addresses and without a compiler, which marks methods that
# it has seen, the same list makes the same archive.
archive_classes() {
  local tree=$1 options
  options=("@$tree/jvm.options" "@$tree/collector.options" --sun-misc-unsafe-memory-access=allow -Xms48m -Xint)
  if [[ -n $list ]]; then
    list_classes "$tree"
  fi
  setarch -R "$tree/jre/bin/java" "${options[@]}" -Xshare:dump -XX:SharedClassListFile="$home/dist/classes.txt" \
    -XX:SharedArchiveFile="$tree/classes.jsa" -cp "$tree/rivulet.jar" >"$scratch/log" 2>&1 ||
    { tail -n 20 "$scratch/log" >&2; fail "the class archive could not be made, see above"; }
}

# list_classes TREE: writes the list anew, from runs of the broker and of each command.
list_classes() {
  say "listing classes"
  for _ in 1 2 3; do
    RIVULET_OPTS="-Xshare:off -XX:DumpLoadedClassList=$scratch/loaded" "$1/bin/rivulet" exercise >"$scratch/log" 2>&1 ||
      { cat "$scratch/log" >&2; fail "a command failed, see above"; }
    grep -v '^[#]\|^@cp' "$scratch/loaded" | sed 's/ id: .*//' >>"$scratch/classes"
  done
  LC_ALL=C sort -u "$scratch/classes" >"$home/dist/classes.txt"
}

# shell_comfort TREE: manual pages and completions, from the commands themselves.
shell_comfort() {
  local tree=$1 bash=$1/share/bash-completion/completions/rivulet zsh=$1/share/zsh/site-functions/_rivulet
  mkdir -p "${bash%/*}" "${zsh%/*}"
  "$tree/bin/rivulet" man "$tree/share/man/man1" >/dev/null
  "$tree/bin/rivulet" completion | sed '1{/^#!/d}' >"$bash"
  # zsh calls this file at the first Tab. It defines the function of bash, and answers this Tab with it, too.
  {
    printf '#compdef rivulet\n(( $+functions[compopt] )) || compopt() { :; }\n'
    cat "$bash"
    printf '_bash_complete -o default -F _complete_rivulet\n'
  } >"$zsh"
}

# make_tree TREE: the folder that the tar.gz has, and from which the packages are made.
make_tree() {
  local tree=$1 page
  mkdir -p "$scratch/jars" "$tree/bin" "$tree/doc"
  cp "$home/broker/target"/{lib,boringssl}/*.jar "$scratch/jars"
  cp "$home/broker/target/rivulet.jar" "$scratch"
  PATH=$jdk/bin:$PATH "$home/docker/jlink.sh" "$scratch/jars" "$tree" >&2
  cp "$home/broker/target/rivulet.jar" "$home"/bin/{jvm,collector}.options "$home/LICENSE" "$tree"
  cp "$home/dist/files/rivulet" "$tree/bin"
  for page in INSTALL OPERATIONS CONFIGURATION RELIABILITY SECURITY; do
    cp "$home/docs/$page.md" "$tree/doc"
  done
  # The archive has the times of the jars, and is used only if they have not changed.
  stamp "$tree"
  archive_classes "$tree"
  shell_comfort "$tree"
  stamp "$tree"
}

for program in setarch strip dpkg-deb rpmbuild; do
  command -v "$program" >/dev/null || fail "$program is not installed (on Debian: util-linux, binutils, dpkg, rpm)"
done
jdk=$(find_jdk)
pom() { sed -n "s|^ *<$1>\\(.*\\)</$1>.*|\\1|p" "$home/pom.xml" | head -n 1; }
version=$(pom version)
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(date -d "$(pom project.build.outputTimestamp)" +%s)}
"$home/bin/rivulet" version >&2 # builds the jars when they are stale
mkdir -p "$out"
out=$(cd "$out" && pwd)

# The class archive contains the name of the folder in which it was made, so that name is always the same.
scratch=/var/tmp/rivulet-dist
mkdir -p -m 755 "$scratch"
[[ $(stat -c '%u %F' "$scratch") == "$UID directory" ]] || fail "$scratch is not a folder of this user"
exec 9<"$scratch"
flock -n 9 || fail "another build is running in $scratch"
rm -rf "${scratch:?}"/*
trap 'rm -rf "$scratch"' EXIT
name=rivulet-$version-linux-$(uname -m)
say "linking a Java runtime of ${jdk##*/}"
make_tree "$scratch/$name"
say "packing"
tar -C "$scratch" --sort=name --owner=0 --group=0 --numeric-owner --format=gnu -c "$name" | gzip -n >"$out/$name.tar.gz"
"$home/dist/deb/build.sh" "$scratch/$name" "$version" "$out"
"$home/dist/rpm/build.sh" "$scratch/$name" "$version" "$out"
