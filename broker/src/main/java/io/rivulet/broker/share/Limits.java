package io.rivulet.broker.share;

import org.jspecify.annotations.Nullable;

/**
 * The settings of a group that bound deliveries. Immutable.
 *
 * @param deliveryCount how often a record is delivered at most
 * @param recordLocks the most records of a queue between the first that is not finished and the last acquired
 * @param lockNanos for how long a record is acquired
 * @param renew whether members may renew their locks
 */
record Limits(int deliveryCount, int recordLocks, long lockNanos, boolean renew) {
    private static final int LEAST_THROTTLED = 2;

    /** Whether records come with fewer and fewer others, because they were delivered so often. */
    boolean throttles(int deliveries) {
        return deliveries >= Math.max(LEAST_THROTTLED, (deliveryCount + 1) / 2);
    }

    /** How many records may be acquired, if these are the first. */
    int mostWith(@Nullable Run first) {
        return first != null && throttles(first.deliveries)
                ? together(first.deliveries, first.together)
                : Integer.MAX_VALUE;
    }

    /**
     * How many of these records are acquired together: half as many as before, and one for the last time. So one that
     * can't be processed does not take all others with it.
     *
     * @param before how many were acquired together; 0 if that is forgotten
     */
    int together(int deliveries, int before) {
        return deliveries >= deliveryCount - 1 ? 1 : Math.max(1, before / 2);
    }
}
