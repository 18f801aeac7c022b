package io.rivulet.broker.limit;

import io.rivulet.store.failure.LogLimit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs that clients have reached a limit: one line a minute for each limit. Thread-safe. */
public final class LimitLog {
    private static final Logger LOG = LoggerFactory.getLogger(LimitLog.class);
    private static final Map<String, LogLimit> LIMITS = new ConcurrentHashMap<>();

    private LimitLog() {}

    /** @param keys the keys of the limits; one of a few constants */
    public static void refused(String keys, String what) {
        LIMITS.computeIfAbsent(keys, added -> LogLimit.aMinute(1))
                .log(more -> LOG.warn("Refused, because {} has no room: {}{}", keys, what, more));
    }
}
