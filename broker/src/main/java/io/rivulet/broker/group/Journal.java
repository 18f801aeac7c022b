package io.rivulet.broker.group;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The commit log, as groups see it. */
public interface Journal {
    /**
     * Appends an entry of {@link GroupEntryLayout}; one after the other.
     *
     * @param done called on the thread that owns the groups, when the entry is durable and applied, with null; or with the reason why
     *     it was not stored or may not have been
     */
    void append(ByteBuffer entry, Consumer<@Nullable Throwable> done);
}
