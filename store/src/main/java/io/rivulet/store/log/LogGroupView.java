package io.rivulet.store.log;

import java.nio.ByteBuffer;

/**
 * A verified group, as read.
 *
 * @param timestamp the group's time in milliseconds
 * @param doubtMillis by so much the true time may have been earlier
 * @param body exactly the bytes that were laid down, read-only; during a replay good until the visitor returns
 */
public record LogGroupView(long lsn, long epoch, long timestamp, long doubtMillis, int entryCount, ByteBuffer body) {}
