package io.rivulet.store.open;

import io.rivulet.store.BatchFormat;
import io.rivulet.store.BatchGate;
import io.rivulet.store.PublishListener;
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
 */
public record Attachments(
        Collection<? extends View> views,
        @Nullable BatchGate gate,
        PublishListener listener,
        @Nullable BatchFormat format) {
    public static final Attachments NONE = of(List.of());

    public Attachments {
        views = List.copyOf(views);
    }

    public static Attachments of(Collection<? extends View> views) {
        return new Attachments(views, null, PublishListener.NONE, null);
    }

    public Attachments withGate(BatchGate newGate) {
        return new Attachments(views, newGate, listener, format);
    }

    public Attachments withListener(PublishListener newListener) {
        return new Attachments(views, gate, newListener, format);
    }

    public Attachments withFormat(BatchFormat newFormat) {
        return new Attachments(views, gate, listener, newFormat);
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
