package io.rivulet.broker.net;

import io.netty.buffer.ByteBuf;

/**
 * The bytes of a request without its length, and the memory that it is charged for. Immutable.
 *
 * @param bytes owned by whoever has the frame
 */
record Frame(ByteBuf bytes, RequestMemory.Share share) {
    /** Frees both. */
    void release() {
        bytes.release();
        share.release();
    }
}
