package io.rivulet.store.log;

import io.rivulet.store.io.Disk;
import java.io.IOException;

/** Keeps logs on other machines. Implemented by a module that a store does not see, and loaded if it is asked for. */
public interface LogService {
    /** In the store's directory, with what a service does not keep. A directory that has it has its log elsewhere. */
    String FOLDER = "cluster";

    /**
     * Connects to the machines. Changes nothing there and nothing on the disk.
     *
     * @param address of the machines and of the log, in a form of the service
     * @param disk of the store, for what the service does not keep
     */
    LogLocation connect(String address, Disk disk) throws IOException;
}
