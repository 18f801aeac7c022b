package io.rivulet.broker.call;

import io.rivulet.protocol.wire.Message;

/** Serves one API. All connections share it, so it never blocks: a call may be answered later, from any thread. */
@FunctionalInterface
public interface Handler<T extends Message> {
    void handle(Call call, T request);
}
