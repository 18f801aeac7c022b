package io.rivulet.store.open;

import io.rivulet.store.BatchFormat;
import io.rivulet.store.BatchGate;
import io.rivulet.store.PublishListener;
import io.rivulet.store.ReplayListener;
import io.rivulet.store.View;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the owner of a store attaches to it. Immutable.
 *
 * @param views each with its own id
 * @param gate decides about each batch before it gets its offset, and is a view like the others; null to admit all
 *     batches
 * @param listener is notified when batches can be read
 * @param format for compaction; null to compact nothing
 * @param replay is notified of the progress of the replay
 */
public record Attachments(
        Collection<? extends View> views,
        @Nullable BatchGate gate,
        PublishListener listener,
        @Nullable BatchFormat format,
        ReplayListener replay) {
    public static final Attachments NONE = of(List.of());

    public Attachments {
        views = List.copyOf(views);
    }

    public static Attachments of(Collection<? extends View> views) {
        return new Attachments(views, null, PublishListener.NONE, null, ReplayListener.NONE);
    }

    public Attachments withGate(BatchGate newGate) {
        return new Attachments(views, newGate, listener, format, replay);
    }

    public Attachments withListener(PublishListener newListener) {
        return new Attachments(views, gate, newListener, format, replay);
    }

    public Attachments withFormat(BatchFormat newFormat) {
        return new Attachments(views, gate, listener, newFormat, replay);
    }

    public Attachments withReplayListener(ReplayListener newReplay) {
        return new Attachments(views, gate, listener, format, newReplay);
    }

    /** The views, and the gate as one of them. */
    List<View> allViews() {
        List<View> all = new ArrayList<>(views);
        if (gate != null) {
            all.add(gate);
        }
        return all;
    }
}
