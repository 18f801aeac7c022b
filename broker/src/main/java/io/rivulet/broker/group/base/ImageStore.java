package io.rivulet.broker.group.base;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Stores the image of a group that has changed. */
public interface ImageStore {
    /** The group, for log lines. */
    String groupId();

    /** @param done called on the coordinator thread: with null when the image is durable, or with the failure */
    void store(ByteBuffer image, Consumer<@Nullable Throwable> done);

    /** A timer has changed the group, so it may have become idle. */
    void changed();
}
