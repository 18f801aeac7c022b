package io.rivulet.engine;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps other processes out of directories until this one ends. */
final class DirectoryLock {
    private static final String FILE = "lock";

    /** A channel that is collected would be closed. */
    private static final List<FileChannel> HELD = new CopyOnWriteArrayList<>();

    private DirectoryLock() {}

    /**
     * Makes the directory if there is none.
     *
     * @throws IOException if another process has it
     */
    static void take(Path directory) throws IOException {
        Files.createDirectories(directory);
        FileChannel channel =
                FileChannel.open(directory.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (channel.tryLock() == null) {
            channel.close();
            throw new IOException("another engine uses " + directory);
        }
        HELD.add(channel);
    }
}
