package io.rivulet.prove.upgrade;

import io.rivulet.prove.damage.Picture;
import io.rivulet.prove.damage.Tree;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * A data directory and what the broker that wrote it said about it, in one file. Immutable.
 *
 * <pre>
 * zip: data/...      the files of the directory, but the lock
 *      millis        when it was written: it is opened as if it was this time
 *      records       a line for each record: partition, offset, text, separated by tabs
 *      state         a line for each thing
 * </pre>
 *
 * @param millis when the directory was written
 * @param truth what is in it
 */
record Archive(long millis, Picture truth) {
    private static final String DATA = "data/";
    private static final String MILLIS = "millis";
    private static final String RECORDS = "records";
    private static final String STATE = "state";
    private static final String SUFFIX = ".zip";
    private static final String LIST = "archives.txt";

    /** The archives of the resources, oldest first. */
    static List<String> names() throws IOException {
        try (InputStream list = resource(LIST)) {
            return new String(list.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .toList();
        }
    }

    private static InputStream resource(String name) throws IOException {
        InputStream found = Archive.class.getResourceAsStream(name);
        if (found == null) {
            throw new IOException("there is no resource " + name);
        }
        return found;
    }

    /**
     * Opens an archive of the resources.
     *
     * @param directory gets the files; it is created
     */
    static Archive unpack(String name, Path directory) throws IOException {
        Map<String, String> texts = new TreeMap<>();
        Files.createDirectories(directory);
        Files.createFile(directory.resolve(Tree.LOCK));
        try (ZipInputStream in = new ZipInputStream(resource(name + SUFFIX))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                if (entry.getName().startsWith(DATA)) {
                    Path file = directory
                            .resolve(entry.getName().substring(DATA.length()))
                            .normalize();
                    Files.createDirectories(file.getParent());
                    Files.copy(in, file);
                } else {
                    texts.put(entry.getName(), new String(in.readAllBytes(), StandardCharsets.UTF_8));
                }
            }
        }
        Picture truth = new Picture();
        lines(texts, STATE).forEach(truth.state()::add);
        lines(texts, RECORDS).forEach(line -> {
            String[] parts = line.split("\t", 3);
            truth.records()
                    .computeIfAbsent(parts[0], absent -> new TreeMap<>())
                    .put(Long.parseLong(parts[1]), parts[2]);
        });
        return new Archive(Long.parseLong(String.valueOf(texts.get(MILLIS)).strip()), truth);
    }

    private static List<String> lines(Map<String, String> texts, String name) throws IOException {
        String text = texts.get(name);
        if (text == null) {
            throw new IOException("an archive without " + name);
        }
        return text.lines().toList();
    }

    /** Writes it, with the files of the directory. */
    void write(Path directory, Path archive) throws IOException {
        try (OutputStream file = Files.newOutputStream(archive);
                ZipOutputStream out = new ZipOutputStream(file, StandardCharsets.UTF_8)) {
            out.setLevel(9);
            for (String name : Tree.files(directory)) {
                out.putNextEntry(new ZipEntry(DATA + name));
                Files.copy(directory.resolve(name), out);
            }
            text(out, MILLIS, String.valueOf(millis));
            StringBuilder records = new StringBuilder();
            truth.records()
                    .forEach((partition, all) -> all.forEach((offset, record) -> records.append(partition)
                            .append('\t')
                            .append(offset)
                            .append('\t')
                            .append(record)
                            .append('\n')));
            text(out, RECORDS, records.toString());
            text(out, STATE, String.join("\n", truth.state()) + "\n");
        }
    }

    private static void text(ZipOutputStream out, String name, String text) throws IOException {
        out.putNextEntry(new ZipEntry(name));
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
