package io.rivulet.broker.share;

import java.util.concurrent.atomic.LongAdder;

/** What has happened to the records of share groups since the start. Thread-safe. */
public final class ShareCounters {
    private final LongAdder acquired = new LongAdder();
    private final LongAdder accepted = new LongAdder();
    private final LongAdder released = new LongAdder();
    private final LongAdder rejected = new LongAdder();
    private final LongAdder renewed = new LongAdder();
    private final LongAdder expired = new LongAdder();
    private final LongAdder exhausted = new LongAdder();
    private final LongAdder deadLetters = new LongAdder();
    private final LongAdder deadLetterRequests = new LongAdder();
    private final LongAdder deadLetterFailures = new LongAdder();

    // ---- for this package ----

    void acquired(long records) {
        acquired.add(records);
    }

    void acknowledged(byte type, long records) {
        switch (type) {
            case AckType.ACCEPT -> accepted.add(records);
            case AckType.RELEASE -> released.add(records);
            case AckType.REJECT -> rejected.add(records);
            case AckType.RENEW -> renewed.add(records);
            default -> {} // there is no record
        }
    }

    void expired(long records) {
        expired.add(records);
    }

    void exhausted(long records) {
        exhausted.add(records);
    }

    /** Letters were stored with one request. */
    void deadLetters(int letters) {
        deadLetters.add(letters);
        deadLetterRequests.add(letters > 0 ? 1 : 0);
    }

    /** Records were archived without letters, though their group has a topic for them. */
    void deadLettersRefused() {
        deadLetterRequests.increment();
        deadLetterFailures.increment();
    }

    // ---- for metrics ----

    /** Deliveries. */
    public long acquired() {
        return acquired.sum();
    }

    public long accepted() {
        return accepted.sum();
    }

    public long released() {
        return released.sum();
    }

    public long rejected() {
        return rejected.sum();
    }

    public long renewed() {
        return renewed.sum();
    }

    /** Those whose member let the time pass. */
    public long expired() {
        return expired.sum();
    }

    /** Those that are not delivered again, because they were delivered as often as the group allows. */
    public long exhausted() {
        return exhausted.sum();
    }

    public long writtenDeadLetters() {
        return deadLetters.sum();
    }

    /** Those that wrote letters, or had to. */
    public long deadLetterRequests() {
        return deadLetterRequests.sum();
    }

    /** Those that archived records without their letters. */
    public long deadLetterFailures() {
        return deadLetterFailures.sum();
    }
}
