package io.rivulet.store.sweep;

/** Runs actions on the log-writer thread, in order. */
@FunctionalInterface
public interface ChainReleaser {
    void execute(Runnable errand);
}
