package io.rivulet.bench.million;

import java.util.Locale;

/** How a number of queues is made of topics and partitions. */
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

    /** In which a million are to be created. */
    double creationSeconds() {
        return creationSeconds;
    }

    /** What a broker with a million is to take, in units of 1,000,000 bytes. */
    double residentMegabytes() {
        return residentMegabytes;
    }

    String topic(int queue) {
        return this == ONE_TOPIC ? ONE : String.format(Locale.ROOT, "device-%07d", queue);
    }

    int partition(int queue) {
        return this == ONE_TOPIC ? queue : 0;
    }

    /** The queue that is this partition of this topic. */
    int queue(String topic, int partition) {
        return this == ONE_TOPIC ? partition : Integer.parseInt(topic.substring(topic.indexOf('-') + 1));
    }

    /** How many queues a Java producer writes to. */
    int queuesPerProducer() {
        return this == ONE_TOPIC ? PARTITIONS_PER_PRODUCER : TOPICS_PER_PRODUCER;
    }

    /** How many threads of a Java producer write. */
    int producerThreads() {
        return this == ONE_TOPIC ? 1 : THREADS_OF_NEW_TOPICS;
    }

    /** How many Java consumers share so many queues. */
    int members(int queues) {
        return this == ONE_TOPIC ? MEMBERS : Math.max(MEMBERS, queues / TOPICS_PER_MEMBER);
    }

    /** How many of them read at once. */
    int membersReading() {
        return this == ONE_TOPIC ? MEMBERS : MEMBERS_READING_TOPICS;
    }
}
