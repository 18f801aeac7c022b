package io.rivulet.broker.config;

/**
 * Limits of consumer groups. Immutable.
 *
 * @param offsetsRetentionMillis how long an empty group's offsets are kept
 * @param expiryIntervalMillis how often it is looked for what has expired
 * @param maxGroups how many groups there may be
 * @param maxHeapBytes what all groups, members and offsets together may take of the heap, about
 */
public record GroupSettings(
        int minSessionTimeoutMillis,
        int maxSessionTimeoutMillis,
        int initialRebalanceDelayMillis,
        int maxMembers,
        int maxOffsetTextBytes,
        long offsetsRetentionMillis,
        long expiryIntervalMillis,
        int maxGroups,
        long maxHeapBytes) {}
