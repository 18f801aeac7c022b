package io.rivulet.broker.topic;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A walk over all topics that may pause: it meets those that are there all the while, and perhaps others. It holds on to nothing but
 * rows. Confined to one thread at a time.
 */
public final class TopicWalk {
    private final TopicRows rows;
    private final int end;
    private int next = 1;

    TopicWalk(TopicRows rows) {
        this.rows = rows;
        this.end = rows.count();
    }

    public boolean hasNext() {
        return next <= end;
    }

    /** The next topic; null if it has gone. */
    public @Nullable Topic next() {
        return rows.topic(next++);
    }

    /** Passes the next topic, if it is still there. */
    public void next(Consumer<Topic> action) {
        Topic topic = next();
        if (topic != null) {
            action.accept(topic);
        }
    }
}
