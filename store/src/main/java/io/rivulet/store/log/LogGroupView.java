package io.rivulet.store.log;

import java.nio.ByteBuffer;

/**
 * A verified group, as read.
 *
 * @param timestamp the group's time in milliseconds
 * @param doubtMillis how much earlier the true time may have been
 * @param body exactly the bytes that were written, read-only; during a replay valid until the visitor returns
 */
public record LogGroupView(long lsn, long epoch, long timestamp, long doubtMillis, int entryCount, ByteBuffer body) {}
