package io.rivulet.broker.net;

import io.rivulet.broker.sasl.Login;

/**
 * The frames of a connection with a login. Before it is complete, frames are short, and have a small memory that all
 * such connections share. So clients that have not said who they are take no memory from those that have.
 *
 * <p>Owned by: the event loop of the connection.
 */
record LoginRules(Login login, RequestMemory ofLogins, FrameRules ofClients) implements FrameRules {
    /** Some requests: clients rarely send one before the login is answered. */
    private static final int MAX_WAITING_BYTES = 8 << 10;

    @Override
    public RequestMemory memory() {
        return login.isLoggedIn() ? ofClients.memory() : ofLogins;
    }

    @Override
    public int maxBytes() {
        return login.isUnderWay() ? login.maxRequestBytes() : ofClients.maxBytes();
    }

    @Override
    public String maxBytesKey() {
        return login.isUnderWay() ? "sasl.server.max.receive.size" : ofClients.maxBytesKey();
    }

    @Override
    public boolean isToken() {
        return login.expectsRawToken();
    }

    @Override
    public boolean mayWait(int bytes) {
        return login.isLoggedIn() || (bytes <= MAX_WAITING_BYTES && !ofLogins.isTight());
    }
}
