package io.rivulet.prove.damage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/** The files of a data directory. Stateless. */
public final class Tree {
    /** A start that finds a log and no lock waits: a broker may still run there. */
    public static final String LOCK = "lock";

    private Tree() {}

    /** Copies all files to a new directory. */
    public static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : all.toList()) {
                Files.copy(path, to.resolve(from.relativize(path).toString()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    /** The paths of all files but the lock, relative to the directory, in order. */
    public static List<String> files(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(Files::isRegularFile)
                    .map(path -> directory.relativize(path).toString())
                    .filter(name -> !name.equals(LOCK))
                    .sorted()
                    .toList();
        }
    }

    /** Length and checksum of each file but the lock. */
    public static SortedMap<String, String> contents(Path directory) throws IOException {
        SortedMap<String, String> contents = new TreeMap<>();
        for (String name : files(directory)) {
            byte[] bytes = Files.readAllBytes(directory.resolve(name));
            CRC32C crc = new CRC32C();
            crc.update(bytes);
            contents.put(name, bytes.length + " " + crc.getValue());
        }
        return contents;
    }
}
