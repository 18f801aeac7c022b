package io.rivulet.store;

/** Is notified how far the replay of a start is. */
@FunctionalInterface
public interface ReplayListener {
    ReplayListener NONE = (doneBytes, totalBytes) -> {};

    /** Called often, by the thread that opens the store. Must not block. */
    void replaying(long doneBytes, long totalBytes);
}
