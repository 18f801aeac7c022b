#!/usr/bin/env bash
# docker/build.sh [--tag NAME] [--cluster]: builds the image, by default rivulet:dev. Needs a JDK, Maven and a container
# engine. With --cluster, also the one for brokers and engines of a cluster, NAME-cluster, by default rivulet:dev-cluster.
# The environment may set BASE_IMAGE and BUILD_IMAGE. The defaults are pulled, or else replaced by stand-ins: a Debian
# made with debootstrap (needs root), and on it the machine's own JDK 25, for the build stage only.
set -euo pipefail
home=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
tag=rivulet:dev
cluster=

fail() { printf 'docker/build.sh: %s\n' "$*" >&2; exit 1; }
say() { printf '=== %s\n' "$*" >&2; }

while (($#)); do
  case $1 in
    --tag) tag=${2:?--tag NAME}; shift 2 ;;
    --cluster) cluster=1; shift ;;
    -h | --help) sed -n '2,5s/^# //p' "$0"; exit ;;
    *) fail "unknown argument $1; usage: docker/build.sh [--tag NAME] [--cluster]" ;;
  esac
done
docker version >/dev/null 2>&1 || fail "no container engine answers 'docker version'"

# available IMAGE: succeeds if the image is here or can be pulled.
available() {
  docker image inspect "$1" >/dev/null 2>&1 || timeout "${PULL_SECONDS:-60}" docker pull -q "$1" >/dev/null 2>&1
}

stand_in_base() {
  docker image inspect rivulet-stand-in-base >/dev/null 2>&1 && return
  local tar
  tar=$("$home/dist/bare-debian.sh") || fail "can't pull debian:bookworm-slim, and there is no other Debian"
  gunzip -c "$tar" | docker import --change 'CMD ["bash"]' - rivulet-stand-in-base >/dev/null
}

stand_in_build() {
  local release
  for release in "${JAVA_HOME:-/none}"/release /usr/lib/jvm/*/release; do
    grep -qs '^JAVA_VERSION="25' "$release" && break
    release=
  done
  [[ -n $release ]] || fail "can't pull eclipse-temurin:25-jdk, and JAVA_HOME and /usr/lib/jvm have no JDK 25"
  stand_in_base
  docker image inspect rivulet-stand-in-build >/dev/null 2>&1 && return
  say "copying ${release%/release} for the build stage"
  printf '%s\n' 'FROM rivulet-stand-in-base' 'COPY . /opt/java/openjdk' 'ENV PATH=/opt/java/openjdk/bin:$PATH' \
    >"$scratch/Dockerfile"
  tar -h -C "$scratch" -c Dockerfile -C "${release%/release}" . |
    docker build -q -t rivulet-stand-in-build - >/dev/null
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
base=${BASE_IMAGE:-debian:bookworm-slim}
build=${BUILD_IMAGE:-eclipse-temurin:25-jdk}
if ! available "$base"; then
  [[ -z ${BASE_IMAGE:-} ]] || fail "no image $base"
  stand_in_base
  base=rivulet-stand-in-base
fi
if ! available "$build"; then
  [[ -z ${BUILD_IMAGE:-} ]] || fail "no image $build"
  stand_in_build
  build=rivulet-stand-in-build
fi

# bill_of_materials: makes the list of libraries if it is missing or older than the POMs that choose them.
bill_of_materials() {
  local sbom=$home/broker/target/sbom.json
  [[ ! -f $sbom || -n $(find "$home"/pom.xml "$home"/{protocol,store,broker}/pom.xml -newer "$sbom" -print -quit) ]] ||
    return 0
  say "listing the libraries"
  # Compiles nothing, so the jars stay as they are.
  (cd "$home" &&
    mvn -B -ntp -q -Psbom -Dlint=false -Dmaven.main.skip=true -Dmaven.test.skip=true -pl broker -am package) >&2
  [[ -f $sbom ]] || fail "there is no list of libraries: Maven makes it only when it is not offline"
}

# cluster_jars DIR: what a broker and an engine of a cluster have beside the jars of the image for one broker.
cluster_jars() {
  local jar class_path
  "$home/bin/rivulet" engine --help >/dev/null # builds the jars when they are stale
  mkdir "$1/lib" "$1/engine"
  cp "$home"/cluster/target/{rivulet-cluster,lib/*}.jar "$1/lib"
  cp "$home"/engine/target/rivulet-engine.jar "$1/engine"
  IFS=: read -ra class_path <<<"$(<"$home/engine/target/classpath")"
  for jar in "${class_path[@]}"; do
    [[ -e $home/broker/target/lib/${jar##*/} || -e $1/lib/${jar##*/} ]] || cp "$jar" "$1/engine"
  done
}

"$home/bin/rivulet" version >&2 # builds the jars when they are stale
bill_of_materials

# Facts for the labels. The time is that of the source, not of this build, so two builds have the same labels.
pom() { sed -n "s|^ \\{$2\\}<$1>\\([^<]*\\)</$1>.*|\\1|p" "$home/pom.xml"; } # NAME INDENTATION
labels=(
  --label "org.opencontainers.image.version=$(pom version 2)"
  --label "org.opencontainers.image.created=$(pom project.build.outputTimestamp 4)"
)
revision=$(git -C "$home" describe --always --dirty --abbrev=40 --exclude='*' 2>/dev/null || true)
[[ -z $revision ]] || labels+=(--label "org.opencontainers.image.revision=$revision")
source=$(pom project.home 4)
[[ -z $source || $source == *.invalid/* ]] || labels+=(--label "org.opencontainers.image.source=$source")

say "building $tag on $base"
tar -C "$home/broker/target" -c rivulet.jar lib boringssl sbom.json -C "$home/bin" jvm.options collector.options \
  -C "$home/docker" Dockerfile jlink.sh rootfs |
  docker build --build-arg "BASE_IMAGE=$base" --build-arg "BUILD_IMAGE=$build" "${labels[@]}" -t "$tag" - >&2
size() { docker image inspect --format '{{.Size}}' "$1" | awk -v tag="$1" '{ printf "%s: %.1f MB\n", tag, $1 / 1e6 }'; }
size "$tag"

if [[ -n $cluster ]]; then
  say "building $tag-cluster on $tag"
  mkdir "$scratch/cluster"
  cluster_jars "$scratch/cluster"
  tar -C "$scratch/cluster" -c lib engine -C "$home/docker/cluster" Dockerfile runtime.sh rootfs |
    docker build --build-arg "RIVULET_IMAGE=$tag" --build-arg "BUILD_IMAGE=$build" -t "$tag-cluster" - >&2
  size "$tag-cluster"
fi
