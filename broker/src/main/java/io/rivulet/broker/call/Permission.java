package io.rivulet.broker.call;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.wire.Message;

/**
 * Decides whether a client may send a request at all. What depends on single topics or groups of the request is the
 * handler's to ask. Stateless.
 */
@FunctionalInterface
public interface Permission<T extends Message> {
    /** NONE, or the error of the answer that refuses the request. */
    ErrorCode check(Access access, T request, short version);
}
