package io.rivulet.broker.metrics;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/** What the server of the broker says about itself. Thread-safe. */
public interface ServerFacts {
    /** The connections of a listener: those that are open, and all that were opened since the start. */
    record Connections(String listener, long open, long opened) {}

    /** Calls after which the client had to wait, and for how long, since the start. */
    record Waits(String reason, long calls, long millis) {}

    /** One for each listener. */
    List<Connections> connections();

    /** When the first certificate of each encrypted listener ends, by the name of the listener. */
    default Map<String, Instant> certificateEnds() {
        return Map.of();
    }

    /** What clients that exceeded a quota had to wait for. */
    List<Waits> waits();

    /** The ids of the threads of the event loops. Waits for an event loop that has not started. */
    List<Long> eventLoopThreads();
}
