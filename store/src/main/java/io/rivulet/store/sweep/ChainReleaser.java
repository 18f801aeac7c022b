package io.rivulet.store.sweep;

/** Has something done on the log-writer thread, in order. */
@FunctionalInterface
public interface ChainReleaser {
    void execute(Runnable errand);
}
