package io.rivulet.bench.versus;

import static io.rivulet.bench.lab.Subject.KAFKA;
import static io.rivulet.bench.lab.Subject.KAFKA_THREE;
import static io.rivulet.bench.lab.Subject.KAFKA_THREE_FSYNC;
import static io.rivulet.bench.lab.Subject.RIVULET;
import static io.rivulet.bench.lab.Subject.RIVULET_BORINGSSL;
import static io.rivulet.bench.lab.Subject.RIVULET_CLUSTER;
import static io.rivulet.bench.lab.Subject.RIVULET_FAILOVER;
import static io.rivulet.bench.lab.Subject.RIVULET_OS;

import io.rivulet.bench.lab.Subject;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The three brokers of a table. Immutable.
 *
 * @param subjects the last one is the base of the ratios
 * @param columns their names, and those of the two ratios
 */
record Comparison(List<Subject> subjects, List<String> columns) {
    /** Without encryption. */
    static final Comparison PLAIN = new Comparison(
            List.of(RIVULET, RIVULET_OS, KAFKA),
            List.of("Rivulet", "Rivulet, durability=os", "Kafka", "Rivulet / Kafka", "Rivulet os / Kafka"));
    /** Over TLS. Kafka encrypts with the JVM, too. */
    static final Comparison TLS = new Comparison(
            List.of(RIVULET, RIVULET_BORINGSSL, KAFKA),
            List.of(
                    "Rivulet, engine of the JVM",
                    "Rivulet, BoringSSL",
                    "Kafka",
                    "Rivulet JVM / Kafka",
                    "Rivulet BoringSSL / Kafka"));
    /** The log on three bookies, beside a log on the disk. */
    static final Comparison CLUSTER = new Comparison(
            List.of(RIVULET_CLUSTER, RIVULET_OS, RIVULET),
            List.of("three bookies", "own log, durability=os", "own log", "bookies / own log", "os / own log"));

    /** Three brokers each. Kafka acknowledges what two of them have, on the disk or in the page cache. */
    static final Comparison FAILOVER = new Comparison(
            List.of(RIVULET_FAILOVER, KAFKA_THREE_FSYNC, KAFKA_THREE),
            List.of("Rivulet", "Kafka, fsync", "Kafka", "Rivulet / Kafka", "Kafka, fsync / Kafka"));

    Subject first() {
        return subjects.get(0);
    }

    Subject second() {
        return subjects.get(1);
    }

    Subject base() {
        return subjects.get(2);
    }

    /** The two first lines of the table. */
    String head() {
        return columns.stream().collect(Collectors.joining(" | ", "| case | metric | ", " |\n"))
                + "|---|---|---|---|---|---|---|\n";
    }
}
