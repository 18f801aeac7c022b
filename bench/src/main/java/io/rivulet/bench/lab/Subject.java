package io.rivulet.bench.lab;

/** A broker under test, and its durability. */
public enum Subject {
    RIVULET("Rivulet"),
    RIVULET_OS("Rivulet, durability=os"),
    KAFKA("Kafka 4.3.1");

    private final String title;

    Subject(String title) {
        this.title = title;
    }

    public String title() {
        return title;
    }
}
