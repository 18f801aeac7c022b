package io.rivulet.broker.http;

import io.netty.channel.Channel;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The open connections, and the memory of answers that their clients have not read. Thread-safe.
 *
 * <p>When there are too many, the one whose last request is the longest ago is closed: connections that are only held
 * open keep no probe away.
 */
final class OpenConnections {
    private static final int MOST = 256;
    private static final int LEAST = 32;
    private static final int ANSWERS_SHARE_OF_HEAP = 32;
    private static final long LEAST_ANSWER_BYTES = 8 << 20;
    private static final int SMALL_BYTES = 4096;

    private final int limit;
    private final long maxAnswerBytes;
    private final AtomicLong answerBytes = new AtomicLong();
    /** Under {@code this}. Null when the server is closed. */
    private @Nullable Set<Channel> byLastRequest = new LinkedHashSet<>();

    /** @param heapBytes the largest heap; each connection may take 80 KiB of it for a request */
    OpenConnections(long heapBytes) {
        this.limit = (int) Math.max(LEAST, Math.min(MOST, heapBytes >> 20));
        this.maxAnswerBytes = Math.max(LEAST_ANSWER_BYTES, heapBytes / ANSWERS_SHARE_OF_HEAP);
    }

    /** False if the server is closed. */
    boolean add(Channel channel) {
        Channel longestIdle = null;
        synchronized (this) {
            if (byLastRequest == null) {
                return false;
            }
            byLastRequest.add(channel);
            if (byLastRequest.size() > limit) {
                Iterator<Channel> oldestFirst = byLastRequest.iterator();
                longestIdle = oldestFirst.next();
                oldestFirst.remove();
            }
        }
        channel.closeFuture().addListener(closed -> remove(channel));
        if (longestIdle != null) {
            var unused = longestIdle.close();
        }
        return true;
    }

    private synchronized void remove(Channel channel) {
        if (byLastRequest != null) {
            byLastRequest.remove(channel);
        }
    }

    /** A request has arrived. */
    synchronized void active(Channel channel) {
        if (byLastRequest != null && byLastRequest.remove(channel)) {
            byLastRequest.add(channel);
        }
    }

    /**
     * Whether there is memory for this answer. Then {@link #written} must follow. For a small one there always is, so
     * that probes have their answer: each connection has one answer.
     */
    boolean reserve(int bytes) {
        if (answerBytes.addAndGet(bytes) > maxAnswerBytes && bytes > SMALL_BYTES) {
            answerBytes.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    void written(int bytes) {
        answerBytes.addAndGet(-bytes);
    }

    /** No more connections from now on. Returns those that are open. */
    synchronized List<Channel> end() {
        List<Channel> open = byLastRequest == null ? List.of() : new ArrayList<>(byLastRequest);
        byLastRequest = null;
        return open;
    }
}
