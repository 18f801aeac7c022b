package io.rivulet.store.open;

import io.rivulet.store.writer.LogWriter;

/** Ties the log writer to upkeep, to those who wait for room, and to the failure latch. Immutable. */
record WriterSurroundings(StoreAssembly store) implements LogWriter.Surroundings {
    @Override
    public void applied() {
        store.applied();
    }

    @Override
    public void hasRoom() {
        store.ringRoomBell();
    }

    @Override
    public boolean isDiskFull() {
        return store.isDiskFull();
    }

    @Override
    public void broken(Throwable cause) {
        store.fail(cause);
    }
}
