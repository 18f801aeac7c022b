package io.rivulet.store.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;

/**
 * A folder of the data directory for files that the store does not know or does not need any more, so that no file is
 * lost by mistake. The name of a file there consists of the time when it was moved, its earlier folder, and its earlier
 * name.
 *
 * <p>Crash policy: a file is moved by one rename, so it is in exactly one of the two folders. Owned by: the thread that
 * opens or repairs the store.
 */
public final class SetAside {
    /** The name of the folder. */
    public static final String FOLDER = "set-aside";

    /** Loaded when first needed, which is rare. */
    private static final class Times {
        static final DateTimeFormatter FORMAT =
                DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
    }

    private static final int COPIED_BYTES = 1 << 20;
    private static final int TIME_LENGTH = "20260101T000000Z".length();

    private final Disk root;

    /** @param root the data directory */
    public SetAside(Disk root) {
        this.root = root;
    }

    /** Moves a file of a folder here, durably. Returns its new path, relative to the data directory. */
    public String move(String folder, String name, long nowMillis) throws IOException {
        Disk target = root.directory(FOLDER);
        String free = freeName(target, folder, name, nowMillis);
        root.rename(folder + "/" + name, FOLDER + "/" + free);
        target.syncDirectory();
        root.directory(folder).syncDirectory();
        return FOLDER + "/" + free;
    }

    /** Copies a file of a folder to here, durably. Returns the path of the copy, relative to the data directory. */
    public String copy(String folder, Disk from, String name, long nowMillis) throws IOException {
        Disk target = root.directory(FOLDER);
        String free = freeName(target, folder, name, nowMillis);
        try (DiskFile source = from.open(name);
                DiskFile copy = target.create(free)) {
            ByteBuffer part = ByteBuffer.allocateDirect(COPIED_BYTES);
            long address = 0;
            for (int bytes = source.read(0, part); bytes > 0; bytes = source.read(address, part.clear())) {
                copy.write(address, part.flip());
                address += bytes;
            }
            copy.force();
        }
        target.syncDirectory();
        return FOLDER + "/" + free;
    }

    private static String freeName(Disk target, String folder, String name, long nowMillis) throws IOException {
        String wanted = Times.FORMAT.format(Instant.ofEpochMilli(nowMillis)) + "-" + folder + "-" + name;
        String free = wanted;
        for (int copy = 2; target.exists(free); copy++) {
            free = wanted + "." + copy;
        }
        return free;
    }

    /** The names of the files here. */
    public List<String> list() throws IOException {
        return root.exists(FOLDER) ? root.directory(FOLDER).list() : List.of();
    }

    /** The names of the files here that were {@code folder/name} before, the latest last. */
    public List<String> list(String folder, String name) throws IOException {
        String ending = "-" + folder + "-" + name;
        return list().stream()
                .filter(there ->
                        there.length() >= TIME_LENGTH + ending.length() && there.startsWith(ending, TIME_LENGTH))
                .toList();
    }

    /** Deletes the files that were moved here before that time, and returns their names. */
    public List<String> deleteOlderThan(long millis) throws IOException {
        List<String> deleted = new ArrayList<>();
        for (String name : list()) {
            if (isOlder(name, millis)) {
                root.directory(FOLDER).delete(name);
                deleted.add(name);
            }
        }
        return deleted;
    }

    private static boolean isOlder(String name, long millis) {
        if (name.length() <= TIME_LENGTH || name.charAt(TIME_LENGTH) != '-') {
            return false;
        }
        try {
            return Times.FORMAT
                            .parse(name.substring(0, TIME_LENGTH), Instant::from)
                            .toEpochMilli()
                    < millis;
        } catch (DateTimeParseException e) {
            return false;
        }
    }
}
