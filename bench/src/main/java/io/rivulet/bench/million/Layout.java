package io.rivulet.bench.million;

import java.util.Locale;

/** How queues are mapped to topics and partitions. */
enum Layout {
    ONE_TOPIC("partitions of one topic", 10, 600),
    TOPICS("topics of one partition", 60, 800);

    private static final String ONE = "devices";
    private static final int MEMBERS = 4;
    private static final int TOPICS_PER_MEMBER = 25_000;
    private static final int MEMBERS_READING_TOPICS = 2;
    private static final int PARTITIONS_PER_PRODUCER = 10_000;
    private static final int TOPICS_PER_PRODUCER = 2_000;
    private static final int THREADS_OF_NEW_TOPICS = 50;

    private final String title;
    private final double creationSeconds;
    private final double residentMegabytes;

    Layout(String title, double creationSeconds, double residentMegabytes) {
        this.title = title;
        this.creationSeconds = creationSeconds;
        this.residentMegabytes = residentMegabytes;
    }

    String title() {
        return title;
    }

    /** Goal for the creation of a million queues. */
    double creationSeconds() {
        return creationSeconds;
    }

    /** Goal for the memory of a broker with a million queues, in units of 1,000,000 bytes. */
    double residentMegabytes() {
        return residentMegabytes;
    }

    String topic(int queue) {
        return this == ONE_TOPIC ? ONE : String.format(Locale.ROOT, "device-%07d", queue);
    }

    int partition(int queue) {
        return this == ONE_TOPIC ? queue : 0;
    }

    /** Returns the queue of a partition. */
    int queue(String topic, int partition) {
        return this == ONE_TOPIC ? partition : Integer.parseInt(topic.substring(topic.indexOf('-') + 1));
    }

    /** Number of queues that one Java producer writes to. */
    int queuesPerProducer() {
        return this == ONE_TOPIC ? PARTITIONS_PER_PRODUCER : TOPICS_PER_PRODUCER;
    }

    /** Number of threads that share one Java producer. */
    int producerThreads() {
        return this == ONE_TOPIC ? 1 : THREADS_OF_NEW_TOPICS;
    }

    /** Number of Java consumers for these queues. */
    int members(int queues) {
        return this == ONE_TOPIC ? MEMBERS : Math.max(MEMBERS, queues / TOPICS_PER_MEMBER);
    }

    /** Number of Java consumers that read at the same time. */
    int membersReading() {
        return this == ONE_TOPIC ? MEMBERS : MEMBERS_READING_TOPICS;
    }
}
