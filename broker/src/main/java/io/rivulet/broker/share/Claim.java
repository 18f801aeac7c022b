package io.rivulet.broker.share;

/**
 * The right of one fetch to read a row and to acquire what it has read. Immutable.
 *
 * @param runs the row when it was claimed; a row that was reset has another one
 * @param from the first offset to read
 * @param until the offset behind the last one to read
 */
record Claim(RowRuns runs, int queueId, long from, long until, Limits limits) {}
