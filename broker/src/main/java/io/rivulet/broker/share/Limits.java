package io.rivulet.broker.share;

/**
 * The settings of a group that bound deliveries. Immutable.
 *
 * @param deliveryCount how often a record is delivered at most
 * @param recordLocks the most records of a queue between the first that is not finished and the last acquired
 * @param lockNanos for how long a record is acquired
 * @param renew whether members may renew their locks
 */
record Limits(int deliveryCount, int recordLocks, long lockNanos, boolean renew) {}
