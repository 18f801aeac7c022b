package io.rivulet.broker.topic;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A walk over all topics that may pause. It meets the topics that exist from start to end, and perhaps others. It keeps
 * references to rows only. Confined to one thread at a time.
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

    /** The next topic, or null if it is deleted. */
    public @Nullable Topic next() {
        return rows.topic(next++);
    }

    /** Passes the next topic to the action if it still exists. */
    public void next(Consumer<Topic> action) {
        Topic topic = next();
        if (topic != null) {
            action.accept(topic);
        }
    }
}
