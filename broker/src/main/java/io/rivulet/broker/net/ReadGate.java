package io.rivulet.broker.net;

import io.netty.channel.Channel;

/**
 * Whether a connection goes on: only while neither memory nor calls have stopped it. Then the socket is not read, and what was read is not
 * looked at.
 *
 * <p>Owned by: the event loop of the connection.
 */
final class ReadGate {
    /** The memory for requests is taken. */
    static final int MEMORY = 1;
    /** The connection takes no further calls now. */
    static final int CALLS = 2;

    private final Channel channel;
    private Runnable whenOpened = ReadGate::nothing;
    private int stoppedBy;

    ReadGate(Channel channel) {
        this.channel = channel;
    }

    private static void nothing() {}

    /** Runs whenever it is opened, before the socket is read again; it may stop it again. */
    void whenOpened(Runnable action) {
        whenOpened = action;
    }

    boolean isOpen() {
        return stoppedBy == 0;
    }

    boolean isStoppedBy(int who) {
        return (stoppedBy & who) != 0;
    }

    /** @param who one of the two above */
    void set(int who, boolean mayGoOn) {
        boolean wasOpen = isOpen();
        stoppedBy = mayGoOn ? stoppedBy & ~who : stoppedBy | who;
        if (!wasOpen && isOpen()) {
            whenOpened.run();
        }
        channel.config().setAutoRead(isOpen());
    }
}
