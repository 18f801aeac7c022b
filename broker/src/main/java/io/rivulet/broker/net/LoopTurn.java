package io.rivulet.broker.net;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.FastThreadLocal;

/**
 * Counts the calls that an event loop has started since its last other task. A connection may start 16 in a row, or two
 * if the loop has many busy connections.
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

    private final Runnable end = this::end;
    private int started;

    /** The turn of the current event loop. */
    static LoopTurn here() {
        return OF_LOOP.get();
    }

    /** The number of calls that a connection may start before other connections have their turn. */
    int callsInARow() {
        return started < MANY ? IN_A_ROW : IN_A_ROW_OF_MANY;
    }

    void started(EventLoop loop) {
        if (started == 0) {
            loop.execute(end);
        }
        started++;
    }

    private void end() {
        started = 0;
    }
}
