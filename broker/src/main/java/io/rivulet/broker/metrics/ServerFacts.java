package io.rivulet.broker.metrics;

import java.util.List;

/** What the server of the broker says about itself. Thread-safe. */
public interface ServerFacts {
    /** The connections of a listener: those that are open, and all that were opened since the start. */
    record Connections(String listener, long open, long opened) {}

    /** One for each listener. */
    List<Connections> connections();

    /** The ids of the threads of the event loops. Waits for an event loop that has not started. */
    List<Long> eventLoopThreads();
}
