package io.rivulet.store.repair;

import io.rivulet.store.View;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** What a repair asks the owner of the views: names for humans, and what to do about a view whose snapshot is lost. */
public interface RepairAdvice {
    /** Knows nothing, and gives up no view. */
    RepairAdvice NONE = new RepairAdvice() {};

    /** What a view holds. */
    default String viewName(int viewId) {
        return "view " + viewId;
    }

    /** What it means when a view begins empty and knows only what the log still holds; null when that must not be. */
    default @Nullable String consequenceOfLosing(int viewId) {
        return null;
    }

    /** How to make a view again that must not begin empty; null when it can't be done. */
    default @Nullable ViewRebuild rebuild(int viewId) {
        return null;
    }

    /** Reads what names queues have. Called once, before {@link #queueName}. */
    default void loadNames(int viewId, ReadableByteChannel snapshot) throws IOException {}

    /** One entry of a view behind its snapshot, for the names. */
    default void applyName(int viewId, ByteBuffer entry) {}

    /** The queue's name for humans. */
    default String queueName(int queueId) {
        return "queue " + queueId;
    }

    /** Makes a view again: first {@link #load}, then {@link #apply} for each entry that the log holds, then {@link #finish}. */
    interface ViewRebuild {
        /** What can be read of the damaged snapshot: a beginning of it, maybe nothing. Ends with an exception where it is damaged. */
        void load(ReadableByteChannel beginning) throws IOException;

        void apply(long groupTimestamp, ByteBuffer entry);

        /** The view's new state. Says what it is made of. */
        View.Snapshot finish(int queueIdLimit, IntPredicate queueExists, Consumer<String> lines);
    }
}
