package io.rivulet.store.retention;

/**
 * What is kept of each queue of a class. Immutable.
 *
 * @param maxAgeMillis what is older, by its timestamp, goes; {@link #NO_LIMIT} for none
 * @param maxBytesPerQueue so much at least is kept of a queue, and about that much; {@link #NO_LIMIT} for none
 */
public record RetentionLimits(long maxAgeMillis, long maxBytesPerQueue) {
    public static final long NO_LIMIT = -1;

    /** Everything is kept. */
    public static final RetentionLimits NONE = new RetentionLimits(NO_LIMIT, NO_LIMIT);

    public RetentionLimits {
        if (maxAgeMillis < NO_LIMIT || maxBytesPerQueue < NO_LIMIT) {
            throw new IllegalArgumentException("retention of " + maxAgeMillis + " ms and " + maxBytesPerQueue
                    + " bytes; each must be 0 or more, or -1 for no limit");
        }
    }

    boolean limitsAge() {
        return maxAgeMillis != NO_LIMIT;
    }

    boolean limitsBytes() {
        return maxBytesPerQueue != NO_LIMIT;
    }
}
