#!/usr/bin/env bash
# Starts a broker for the tests of a job, in a container: the step of action.yml, which passes its inputs as RIVULET_*.
# Works with each other runner, too. Records are not fsynced, because they end with the job.
set -euo pipefail
home=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
image=${RIVULET_IMAGE:-} port=${RIVULET_PORT:-9092} name=${RIVULET_NAME:-rivulet} seconds=${RIVULET_TIMEOUT:-60}
config=$(mktemp -d)
trap 'rm -rf "$config"' EXIT

# A line end in an input must not begin a command of the runner.
fail() { local text=${*//%/%25}; printf '::error title=Rivulet::%s\n' "${text//$'\n'/%0A}"; exit 1; }

[[ $port =~ ^[1-9][0-9]{0,4}$ ]] && ((port < 65536)) || fail "port is '$port'; allowed is a number from 1 to 65535"
[[ $seconds =~ ^[1-9][0-9]{0,4}$ ]] || fail "timeout is '$seconds'; allowed is a number of seconds"
[[ $name =~ ^[a-zA-Z0-9][a-zA-Z0-9_.-]+$ ]] || fail "name is '$name'; allowed are letters, digits and _.-"
[[ $image != -* ]] || fail "image is '$image'; allowed is the name of an image"
docker version >/dev/null 2>&1 || fail "no container engine answers 'docker version'; runners with Linux have one"
! docker container inspect "$name" >/dev/null 2>&1 || fail "there is a container $name already; choose another name"

if [[ -z $image ]]; then
  image=rivulet:$(sed -n 's|^  <version>\(.*\)</version>.*|\1|p' "$home/pom.xml")-action
  "$home/docker/build.sh" --tag "$image"
fi

# A later line wins, so those of the job do.
printf '%s\n' rivulet.durability=os group.initial.rebalance.delay.ms=0 "${RIVULET_CONFIG:-}" >"$config/server.properties"
chmod 644 "$config/server.properties"
container=$(docker create --name "$name" -p "127.0.0.1:$port:9092" -e KAFKA_LISTENERS=PLAINTEXT://:9092 \
  -e "KAFKA_ADVERTISED_LISTENERS=PLAINTEXT://localhost:$port" -e "KAFKA_CREATE_TOPICS=${RIVULET_TOPICS:-}" "$image") ||
  fail "there is no image $image"
docker cp "$config/server.properties" "$container:/mnt/shared/config/" >/dev/null 2>&1 ||
  { docker rm -fv "$container" >/dev/null; fail "$image is not an image of Rivulet"; }
docker start "$container" >/dev/null || { docker rm -fv "$container" >/dev/null; fail "port $port can't be used"; }

deadline=$((SECONDS + seconds))
until docker exec "$container" /opt/rivulet/bin/health >/dev/null 2>&1; do
  running=$(docker inspect --format '{{.State.Running}}' "$container")
  if [[ $running != true ]] || ((SECONDS >= deadline)); then
    docker logs "$container" 2>&1 | tail -n 50
    docker rm -fv "$container" >/dev/null
    [[ $running == true ]] || fail "the broker has ended; its log is above"
    fail "the broker was not ready after $seconds s; its log is above"
  fi
  sleep 0.2
done

printf 'Rivulet serves clients at localhost:%s (container %s)\n' "$port" "$name"
printf '%s\n' "bootstrap-servers=localhost:$port" "container=$container" >>"${GITHUB_OUTPUT:-/dev/null}"
