package io.rivulet.broker.group.base;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where a group's image goes when it has changed. */
public interface ImageStore {
    /** @param done called on the thread that owns the groups: with null when the image is durable, or with the reason why not */
    void store(ByteBuffer image, Consumer<@Nullable Throwable> done);

    /** Time has changed the group, not a request: it may have become idle. */
    void changed();
}
