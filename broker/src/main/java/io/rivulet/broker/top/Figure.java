package io.rivulet.broker.top;

/** A number about the whole broker. Immutable. */
enum Figure {
    MESSAGES_IN("messagesInPerSecond"),
    BYTES_IN("bytesInPerSecond"),
    BYTES_OUT("bytesOutPerSecond"),
    REQUESTS("requestsPerSecond"),
    PRODUCE_REQUESTS("produceRequestsPerSecond"),
    FETCH_REQUESTS("fetchRequestsPerSecond"),
    /** Of about the last five minutes. */
    PRODUCE_P99("produceP99Millis"),
    FETCH_P99("fetchP99Millis"),
    FSYNCS("fsyncsPerSecond"),
    /** The mean of this interval. */
    FSYNC_MILLIS("fsyncMillis"),
    /** A share: 0 to 1. */
    TAIL_USED("tailUsed"),
    /** A share of the pages that were needed in this interval. */
    CACHE_HITS("cacheHits"),
    CONNECTIONS("connections"),
    TOPICS("topicCount"),
    PARTITIONS("partitionCount"),
    RESIDENT("residentBytes"),
    DISK_USABLE("diskUsableBytes");

    private final String json;

    Figure(String json) {
        this.json = json;
    }

    /** Its name in JSON. */
    String json() {
        return json;
    }
}
