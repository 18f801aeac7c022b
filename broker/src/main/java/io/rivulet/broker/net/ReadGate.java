package io.rivulet.broker.net;

import io.netty.channel.Channel;

/**
 * Opens and closes the reading of a connection. It is closed while memory or calls stop it: then the socket is not read, and bytes that
 * were read are not decoded.
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

    /** The action runs whenever the gate opens, before the socket is read. It may close the gate again. */
    void whenOpened(Runnable action) {
        whenOpened = action;
    }

    boolean isOpen() {
        return stoppedBy == 0;
    }

    boolean isStoppedBy(int who) {
        return (stoppedBy & who) != 0;
    }

    /** @param who {@link #MEMORY} or {@link #CALLS} */
    void set(int who, boolean mayGoOn) {
        boolean wasOpen = isOpen();
        stoppedBy = mayGoOn ? stoppedBy & ~who : stoppedBy | who;
        if (!wasOpen && isOpen()) {
            whenOpened.run();
        }
        channel.config().setAutoRead(isOpen());
    }
}
