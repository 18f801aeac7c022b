#!/usr/bin/env bash
# bench/image.sh [STARTS]: compares Rivulet's image with an image of Apache Kafka: size, time from 'docker run' to the
# ready line, and RSS. Both have the same base, the same JDK, an AOT cache and default settings. Kafka's storage is
# formatted when the image is built; Kafka's own image does that at each start. Needs a container engine and Maven.
# Prints each start and the medians.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
starts=${1:-10}
jars=bench/target/kafka/libs
ours=rivulet:dev theirs=kafka-beside-rivulet:4.3.1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

docker/build.sh --tag "$ours"
base=debian:bookworm-slim build=eclipse-temurin:25-jdk
docker image inspect "$base" >/dev/null 2>&1 || base=rivulet-stand-in-base
docker image inspect "$build" >/dev/null 2>&1 || build=rivulet-stand-in-build

cat >"$scratch/Dockerfile" <<'DOCKERFILE'
ARG BASE_IMAGE
ARG BUILD_IMAGE
FROM ${BUILD_IMAGE} AS runtime
RUN command -v strip || { apt-get update && apt-get install -y --no-install-recommends binutils; }
RUN jlink --add-modules java.se,jdk.unsupported,jdk.management,jdk.security.auth --strip-java-debug-attributes \
      --no-man-pages --no-header-files --compress=zip-9 --output /jre && \
    strip --strip-unneeded /jre/lib/*.so /jre/lib/server/libjvm.so
FROM ${BASE_IMAGE}
COPY --from=runtime /jre /jre
COPY lib /kafka
COPY server.properties log4j2.properties /
ENV KAFKA="-XX:+UseCompactObjectHeaders -XX:+UseG1GC -Xms1g -Xmx1g \
      -Dlog4j2.configurationFile=/log4j2.properties -Xlog:aot*=error" CLASSPATH=/kafka/*
RUN set -e; \
    /jre/bin/java $KAFKA kafka.tools.StorageTool format -t 4L6g3nShT-eMCtK--X86sw -c /server.properties; \
    cp -a /data /formatted; \
    /jre/bin/java $KAFKA -XX:AOTCacheOutput=/kafka.aot kafka.Kafka /server.properties >/log 2>&1 & \
    broker=$!; for i in $(seq 300); do grep -q 'Kafka Server started' /log && break; sleep 0.2; done; \
    kill -TERM $broker; wait $broker || true; cat /log; test -s /kafka.aot; rm -rf /data /log; mv /formatted /data
EXPOSE 9092
CMD exec /jre/bin/java $KAFKA -XX:AOTCache=/kafka.aot kafka.Kafka /server.properties
DOCKERFILE
cat >"$scratch/server.properties" <<'PROPERTIES'
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@localhost:9093
listeners=PLAINTEXT://:9092,CONTROLLER://:9093
advertised.listeners=PLAINTEXT://localhost:9092
controller.listener.names=CONTROLLER
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
log.dirs=/data
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
PROPERTIES
# The ready line is a log line, as in Kafka's own image.
cat >"$scratch/log4j2.properties" <<'PROPERTIES'
appender.console.type=Console
appender.console.name=console
appender.console.layout.type=PatternLayout
appender.console.layout.pattern=[%d] %p %m (%c)%n
rootLogger.level=INFO
rootLogger.appenderRef.console.ref=console
PROPERTIES
[[ -d $jars ]] || mvn -B -ntp -q -f bench/kafka/pom.xml package
cp -r "$jars" "$scratch/lib"
tar -C "$scratch" -c Dockerfile server.properties log4j2.properties lib |
  docker build --build-arg "BASE_IMAGE=$base" --build-arg "BUILD_IMAGE=$build" -t "$theirs" - >"$scratch/log" 2>&1 ||
  { tail -n 30 "$scratch/log" >&2; exit 1; }

# measure IMAGE: milliseconds to the ready line, then KiB of RSS ten seconds later.
measure() {
  local began id ready pid
  began=$(date +%s%N)
  id=$(docker run -d --no-healthcheck "$1")
  # One reader, because repeated calls would slow the start.
  ready=$(grep -m 1 'Kafka Server started' < <(docker logs -f -t "$id" 2>&1))
  sleep 10
  pid=$(docker inspect --format '{{.State.Pid}}' "$id")
  printf '%s %s\n' "$((($(date -d "${ready%% *}" +%s%N) - began) / 1000000))" \
    "$(sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$pid/status")"
  docker rm -fv "$id" >/dev/null
}
median() { sort -n | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'; }

for ((i = 0; i < starts; i++)); do # in turns, so that other load affects both
  measure "$ours" | tee -a "$scratch/ours" >&2
  measure "$theirs" | tee -a "$scratch/theirs" >&2
done
for which in ours theirs; do
  image=${!which}
  printf '%s: %.1f MB, ready after %s ms (%s), RSS %.0f MB\n' "$image" \
    "$(docker image inspect --format '{{.Size}}' "$image" | awk '{ print $1 / 1e6 }')" \
    "$(cut -d ' ' -f 1 "$scratch/$which" | median)" \
    "$(cut -d ' ' -f 1 "$scratch/$which" | sort -n | tr '\n' ' ' | sed 's/ $//')" \
    "$(cut -d ' ' -f 2 "$scratch/$which" | median | awk '{ print $1 / 1024 }')"
done
