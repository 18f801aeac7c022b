package io.rivulet.broker.call;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.wire.Message;

/** Makes the answer to a request of one API that is refused as a whole, with the error where clients of this API look for it. */
@FunctionalInterface
public interface Refusal<T extends Message> {
    Message refuse(T request, short version, ErrorCode error);
}
