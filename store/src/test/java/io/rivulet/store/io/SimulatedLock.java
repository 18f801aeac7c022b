package io.rivulet.store.io;

/** Of a directory that nobody else can reach. */
record SimulatedLock() implements DirectoryLock {
    @Override
    public void check() {}

    @Override
    public void awaitFormerOwner() {}

    @Override
    public void close() {}
}
