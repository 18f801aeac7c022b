package io.rivulet.simulation;

import io.rivulet.store.Store;
import io.rivulet.store.io.Disk;
import io.rivulet.store.open.Attachments;

/** Puts bugs into a broker, by its seams. One object for all lives of a broker. */
interface Tampering {
    Tampering NONE = new Tampering() {};

    /** What the store writes to. */
    default Disk disk(Disk disk) {
        return disk;
    }

    /** The views and the gate of the broker, as the store gets them. */
    default Attachments attachments(Attachments attachments) {
        return attachments;
    }

    /** The store, as the broker gets it. */
    default Store store(Store store) {
        return store;
    }

    /** Bytes on their way from a client to the broker. */
    default byte[] request(byte[] bytes) {
        return bytes;
    }
}
