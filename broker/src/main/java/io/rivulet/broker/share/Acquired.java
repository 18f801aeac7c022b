package io.rivulet.broker.share;

/**
 * Records that a member has acquired. Immutable.
 *
 * @param deliveries how often they were delivered, with this time
 */
record Acquired(long firstOffset, long lastOffset, int deliveries) {}
