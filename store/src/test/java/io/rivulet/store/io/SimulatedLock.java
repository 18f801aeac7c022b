package io.rivulet.store.io;

/** The lock of a directory that no other process can reach. */
record SimulatedLock() implements DirectoryLock {
    @Override
    public void check() {}

    @Override
    public void awaitFormerOwner() {}

    @Override
    public void close() {}
}
