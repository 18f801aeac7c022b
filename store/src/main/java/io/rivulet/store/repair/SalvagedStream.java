package io.rivulet.store.repair;

import java.nio.ByteBuffer;

/**
 * Records that a repair puts into a block file in place of missing ones.
 *
 * @param stream whole records, from position to limit, for exactly these offsets
 */
public record SalvagedStream(int queueId, long baseOffset, long endOffset, ByteBuffer stream) {}
