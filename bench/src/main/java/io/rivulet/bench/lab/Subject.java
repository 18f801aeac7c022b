package io.rivulet.bench.lab;

/**
 * A broker under test, or three of them, its durability, and what encrypts its connections: the JVM, unless the name
 * says BoringSSL.
 */
public enum Subject {
    RIVULET("Rivulet"),
    RIVULET_OS("Rivulet, durability=os"),
    RIVULET_BORINGSSL("Rivulet, BoringSSL"),
    RIVULET_CLUSTER("Rivulet, log on three bookies"),
    RIVULET_FAILOVER("Rivulet, three brokers on three engines", 3),
    KAFKA("Kafka 4.3.1"),
    KAFKA_THREE("Kafka 4.3.1, three brokers", 3),
    KAFKA_THREE_FSYNC("Kafka 4.3.1, three brokers, log.flush.interval.messages=1", 3);

    private final String title;
    private final int brokers;

    Subject(String title) {
        this(title, 1);
    }

    Subject(String title, int brokers) {
        this.title = title;
        this.brokers = brokers;
    }

    public String title() {
        return title;
    }

    /** How many processes take requests. It is the replication factor of topics, too. */
    public int brokers() {
        return brokers;
    }

    public boolean isKafka() {
        return this == KAFKA || this == KAFKA_THREE || this == KAFKA_THREE_FSYNC;
    }
}
