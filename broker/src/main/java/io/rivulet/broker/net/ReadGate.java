package io.rivulet.broker.net;

import io.netty.channel.Channel;

/**
 * Opens and closes the reading of a connection. It is closed while memory or calls stop it. Then the socket is not
 * read, and bytes that were already read are not decoded.
 *
 * <p>Owned by: the event loop of the connection.
 */
final class ReadGate {
    /** The memory of requests is used up. */
    static final int MEMORY = 1;
    /** The connection starts no further calls. */
    static final int CALLS = 2;

    private final Channel channel;
    private Runnable whenOpened = ReadGate::nothing;
    private int stoppedBy;

    ReadGate(Channel channel) {
        this.channel = channel;
    }

    private static void nothing() {}

    /** Sets the action that runs each time the gate opens, before the socket is read. It may close the gate again. */
    void whenOpened(Runnable action) {
        whenOpened = action;
    }

    boolean isOpen() {
        return stoppedBy == 0;
    }

    boolean isStoppedBy(int reason) {
        return (stoppedBy & reason) != 0;
    }

    /** @param reason {@link #MEMORY} or {@link #CALLS} */
    void set(int reason, boolean mayRead) {
        boolean wasOpen = isOpen();
        stoppedBy = mayRead ? stoppedBy & ~reason : stoppedBy | reason;
        if (!wasOpen && isOpen()) {
            whenOpened.run();
        }
        channel.config().setAutoRead(isOpen());
    }
}
