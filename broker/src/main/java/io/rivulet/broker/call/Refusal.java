package io.rivulet.broker.call;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.wire.Message;

/** Makes the answer to a request that is refused as a whole, with the error in the fields where clients expect it. */
@FunctionalInterface
public interface Refusal<T extends Message> {
    Message refuse(T request, short version, ErrorCode error);
}
