package io.rivulet.broker.sasl;

import java.util.function.Consumer;

/** The tokens of one login with one mechanism. Owned by: the event loop of the connection. */
interface Exchange {
    /**
     * @param token of the client, of any content
     * @param answered gets the answer once, on any thread
     */
    void next(byte[] token, Consumer<Step> answered);
}
