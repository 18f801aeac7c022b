package io.rivulet.broker.api;

import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.wire.Message;

/** Takes each request to its handler. Stateless. */
public final class Dispatcher {
    /**
     * @param key of an API that {@link ServedApis} has; anything else is a bug of the caller
     */
    public Message dispatch(ApiKey key) {
        return switch (key) {
            case API_VERSIONS -> ApiVersionsHandler.handle();
            default -> throw new IllegalStateException(key + " is not served");
        };
    }
}
