package io.rivulet.store.repair;

import io.rivulet.store.View;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What a repair needs from the owner of the views: names for humans, and how to handle a view whose snapshot is lost.
 */
public interface RepairAdvice {
    /** Has no names, and allows no view to be lost. */
    RepairAdvice NONE = new RepairAdvice() {};

    /** The content of a view, for messages. */
    default String viewName(int viewId) {
        return "view " + viewId;
    }

    /** The consequence if a view begins empty and has only what the log still has; null if that is not allowed. */
    default @Nullable String consequenceOfLosing(int viewId) {
        return null;
    }

    /** How to rebuild a view that must not begin empty; null if that is impossible. */
    default @Nullable ViewRebuild rebuild(int viewId) {
        return null;
    }

    /** Reads the names of queues. Called once, before {@link #queueName}. */
    default void loadNames(int viewId, ReadableByteChannel snapshot) throws IOException {}

    /** One entry of a view after its snapshot, for the names. */
    default void applyName(int viewId, ByteBuffer entry) {}

    /** The queue's name for humans. */
    default String queueName(int queueId) {
        return "queue " + queueId;
    }

    /** Rebuilds a view: first {@link #load}, then {@link #apply} for each entry of the log, then {@link #finish}. */
    interface ViewRebuild {
        /**
         * The readable beginning of the damaged snapshot, which may be empty. The channel throws where the damage
         * begins.
         */
        void load(ReadableByteChannel beginning) throws IOException;

        void apply(long groupTimestamp, ByteBuffer entry);

        /** The view's new state. Reports its sources. */
        View.Snapshot finish(int queueIdLimit, IntPredicate queueExists, Consumer<String> lines);
    }
}
