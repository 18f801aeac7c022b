package io.rivulet.broker.call;

import io.rivulet.protocol.wire.Message;

/** Serves one API. All connections share a handler, so it never blocks. It may answer later, on any thread. */
@FunctionalInterface
public interface Handler<T extends Message> {
    void handle(Call call, T request);
}
