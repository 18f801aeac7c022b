package io.rivulet.broker.api.partition;

import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.protocol.wire.Message;

/**
 * Handles a request when everything that was acknowledged before can be read. With acks=1 that may take an fsync; then
 * a read thread handles it. Immutable.
 */
record AcknowledgedFirst<T extends Message>(ApiParts parts, Handler<T> handler) implements Handler<T> {
    @Override
    public void handle(Call call, T request) {
        if (parts.store().isReadable()) {
            handler.handle(call, request);
        } else {
            parts.store().whenReadable(() -> parts.readers().read(call, reader -> handler.handle(call, request)));
        }
    }
}
