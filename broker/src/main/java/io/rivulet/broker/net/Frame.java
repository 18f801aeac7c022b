package io.rivulet.broker.net;

import io.netty.buffer.ByteBuf;

/**
 * The bytes of a request without its length, and its share of the memory of requests. Immutable.
 *
 * @param bytes owned by the owner of the frame
 */
record Frame(ByteBuf bytes, RequestMemory.Share share) {
    /** Frees both. */
    void release() {
        bytes.release();
        share.release();
    }
}
