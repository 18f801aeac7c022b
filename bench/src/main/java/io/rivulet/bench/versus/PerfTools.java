package io.rivulet.bench.versus;

import io.rivulet.bench.lab.RunningBroker;
import java.util.List;
import java.util.stream.Stream;

/** Names and arguments of Kafka's perf tools. Stateless. */
final class PerfTools {
    private PerfTools() {}

    /** @param more properties of the producer, then other options */
    static List<String> produce(RunningBroker broker, String topic, int records, int recordBytes, String... more) {
        return with(
                more,
                "org.apache.kafka.tools.ProducerPerformance",
                "--topic",
                topic,
                "--num-records",
                String.valueOf(records),
                "--record-size",
                String.valueOf(recordBytes),
                "--throughput",
                "-1",
                "--producer-props",
                "bootstrap.servers=localhost:" + broker.port());
    }

    static List<String> consume(RunningBroker broker, String topic, int records, String... more) {
        return with(
                more,
                "org.apache.kafka.tools.ConsumerPerformance",
                "--bootstrap-server",
                "localhost:" + broker.port(),
                "--topic",
                topic,
                "--num-records",
                String.valueOf(records));
    }

    private static List<String> with(String[] more, String... first) {
        return Stream.concat(Stream.of(first), Stream.of(more)).toList();
    }
}
