package io.rivulet.broker.net;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.FastThreadLocal;

/**
 * How many calls an event loop has started since it last did something else. A connection may start some in a row; when a loop has many
 * connections that ask all the time, each may start two.
 *
 * <p>Owned by: the event loop.
 */
final class LoopTurn {
    private static final FastThreadLocal<LoopTurn> OF_LOOP = new FastThreadLocal<>() {
        @Override
        protected LoopTurn initialValue() {
            return new LoopTurn();
        }
    };

    private static final int MANY = 256;
    private static final int IN_A_ROW = 16;
    private static final int IN_A_ROW_OF_MANY = 2;

    private int started;

    /** That of the event loop that runs this. */
    static LoopTurn here() {
        return OF_LOOP.get();
    }

    /** How many calls a connection may start before it is the turn of others. */
    int callsInARow() {
        return started < MANY ? IN_A_ROW : IN_A_ROW_OF_MANY;
    }

    void started(EventLoop loop) {
        if (started == 0) {
            loop.execute(() -> started = 0);
        }
        started++;
    }
}
