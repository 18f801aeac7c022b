package io.rivulet.store.block;

import java.nio.ByteBuffer;

/**
 * A stretch of a queue's stream that is put into a block file where one was missing.
 *
 * @param stream whole records, from position to limit, for exactly these offsets
 */
public record SalvagedStream(int queueId, long baseOffset, long endOffset, ByteBuffer stream) {}
