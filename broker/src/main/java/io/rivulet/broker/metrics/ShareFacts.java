package io.rivulet.broker.metrics;

/**
 * Share groups, now and since the start. Immutable.
 *
 * @param rows pairs of group and partition in use
 * @param locks ranges of records that members have
 * @param acquired deliveries of records
 * @param expired records whose member let the time pass
 * @param exhausted records that were delivered as often as allowed
 */
public record ShareFacts(
        Groups groups,
        long sessions,
        long rows,
        long locks,
        Memory memory,
        Acknowledged acknowledged,
        long acquired,
        long expired,
        long exhausted,
        DeadLetters deadLetters) {
    /** The groups by their state. */
    public record Groups(long empty, long stable) {}

    /** Dead letters, the requests that wrote them or had to, and those that archived records without them. */
    public record DeadLetters(long written, long requests, long failures) {}

    /** The estimated heap, and its limit. */
    public record Memory(long bytes, long maxBytes) {}

    /** Records by what their members said. */
    public record Acknowledged(long accepted, long released, long rejected, long renewed) {}
}
