#!/bin/bash
# bench/quotas.sh NAME PORT LIBS: Kafka's own perf tools under quotas of 1 MB/s.
# LIBS is a directory with the jars of kafka-tools and kafka_2.13, such as it-tests/kafka-tools/target/lib.
set -euo pipefail
name=$1
server=localhost:$2
export CLASSPATH="$3/*"
tools=org.apache.kafka.tools
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo 'client.id=quota-bench' >"$work/client.properties"
topic=quota-bench-$RANDOM

run() { java -Xmx256m "$@" 2>&1; }

run $tools.TopicCommand --bootstrap-server "$server" --create --topic "$topic" --partitions 1 >"$work/log"
run kafka.admin.ConfigCommand --bootstrap-server "$server" --alter --entity-type clients --entity-name quota-bench \
  --add-config producer_byte_rate=1000000,consumer_byte_rate=1000000 >>"$work/log"
echo "$name, produce:"
run $tools.ProducerPerformance --topic "$topic" --num-records 45000 --record-size 1000 --throughput -1 \
  --producer-props bootstrap.servers="$server" client.id=quota-bench --print-metrics >"$work/produce"
grep -E 'records sent.*99\.9th|throttle-time' "$work/produce"
echo "$name, consume:"
run $tools.ConsumerPerformance --bootstrap-server "$server" --topic "$topic" --num-records 45000 \
  --command-config "$work/client.properties" --print-metrics --timeout 60000 >"$work/consume"
grep -E '^[0-9]{4}-|fetch-throttle-time' "$work/consume"
