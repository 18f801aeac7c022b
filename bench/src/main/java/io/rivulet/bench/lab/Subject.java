package io.rivulet.bench.lab;

/** A broker under test, its durability, and what encrypts its connections: the JVM, unless the name says BoringSSL. */
public enum Subject {
    RIVULET("Rivulet"),
    RIVULET_OS("Rivulet, durability=os"),
    RIVULET_BORINGSSL("Rivulet, BoringSSL"),
    RIVULET_CLUSTER("Rivulet, log on three bookies"),
    KAFKA("Kafka 4.3.1");

    private final String title;

    Subject(String title) {
        this.title = title;
    }

    public String title() {
        return title;
    }
}
