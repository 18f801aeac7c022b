package io.rivulet.prove.damage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Damages files of a directory. What it does follows from the random numbers. Owned by: one thread. */
final class Damage {
    /** What may happen to a file. */
    enum Kind {
        ONE_BIT,
        ONE_BYTE,
        RANDOM_BYTES,
        ZEROED_SECTORS,
        LOST_BYTES,
        TRUNCATED,
        EMPTY,
        GROWN,
        MISSING,
        SWAPPED,
        COPY_OF_ANOTHER,
        DUPLICATE,
        OLD
    }

    private static final int SECTOR_BYTES = 512;
    private static final int MOST_RANDOM_BYTES = 64;
    private static final Pattern NUMBER = Pattern.compile("[0-9a-f]{12,16}|(?<=-)\\d+(?=\\.snapshot)");

    private final Path directory;
    private final List<Path> older;
    private final Random random;
    private final List<String> files;
    private final List<String> done = new ArrayList<>();
    private final List<String> touched = new ArrayList<>();

    Damage(Path directory, List<Path> older, Random random) throws IOException {
        this.directory = directory;
        this.older = older;
        this.random = random;
        this.files = Tree.files(directory);
    }

    /** Damages a random file of a random kind, so that rare kinds are hit as often as others. */
    void one(Pattern spared) throws IOException {
        TreeMap<String, List<String>> kinds = new TreeMap<>();
        for (String file : files) {
            if (!spared.matcher(file).matches()) {
                kinds.computeIfAbsent(kindOf(file), absent -> new ArrayList<>()).add(file);
            }
        }
        List<List<String>> each = List.copyOf(kinds.values());
        List<String> alike = each.get(random.nextInt(each.size()));
        String file = alike.get(random.nextInt(alike.size()));
        Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
        if (Files.exists(directory.resolve(file))) {
            damage(file, kind, alike);
        }
    }

    /** What was done, for a human. */
    String what() {
        return String.join("; ", done);
    }

    /** The files that were changed. */
    List<String> touched() {
        return touched;
    }

    /** The path without its numbers. */
    static String kindOf(String file) {
        return file.replaceAll("[0-9a-f]{12,16}", "N").replaceAll("-\\d+\\.snapshot", "-N.snapshot");
    }

    private void damage(String file, Kind kind, List<String> alike) throws IOException {
        Path path = directory.resolve(file);
        note(file, kind.toString());
        switch (kind) {
            case SWAPPED -> swap(file, another(file, alike));
            case COPY_OF_ANOTHER -> replace(path, directory.resolve(another(file, alike)));
            case DUPLICATE -> duplicate(file);
            case OLD -> makeOld(file);
            case MISSING -> Files.delete(path);
            default -> Files.write(path, changed(Files.readAllBytes(path), kind));
        }
    }

    private void note(String file, String what) {
        touched.add(file);
        done.add(file + " " + what);
    }

    private byte[] changed(byte[] bytes, Kind kind) {
        int used = usedBytes(bytes);
        int at = used == 0 ? 0 : random.nextInt(used);
        byte[] result = bytes.clone();
        switch (kind) {
            case ONE_BIT -> flip(result, at, 1 << random.nextInt(8));
            case ONE_BYTE -> flip(result, at, 1 + random.nextInt(255));
            case RANDOM_BYTES -> {
                for (int i = at; i < Math.min(bytes.length, at + 1 + random.nextInt(MOST_RANDOM_BYTES)); i++) {
                    result[i] = (byte) random.nextInt();
                }
            }
            case ZEROED_SECTORS -> {
                int from = at / SECTOR_BYTES * SECTOR_BYTES;
                int to = from + SECTOR_BYTES * (1 + random.nextInt(8));
                Arrays.fill(result, from, Math.min(bytes.length, to), (byte) 0);
            }
            case LOST_BYTES -> result = without(bytes, at, Math.min(bytes.length, at + 1 + random.nextInt(4096)));
            case TRUNCATED -> result = Arrays.copyOf(bytes, at);
            case EMPTY -> result = new byte[0];
            default -> result = Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(8192));
        }
        done.set(done.size() - 1, done.get(done.size() - 1) + " at " + at + " of " + bytes.length);
        return result;
    }

    private static void flip(byte[] bytes, int at, int bits) {
        if (bytes.length > 0) {
            bytes[at] ^= (byte) bits;
        }
    }

    /** Segments end in zeros, where damage has no effect. */
    private static int usedBytes(byte[] bytes) {
        int used = bytes.length;
        while (used > 0 && bytes[used - 1] == 0) {
            used--;
        }
        return Math.min(bytes.length, used + 8);
    }

    private static byte[] without(byte[] bytes, int from, int to) {
        byte[] result = new byte[bytes.length - (to - from)];
        System.arraycopy(bytes, 0, result, 0, from);
        System.arraycopy(bytes, to, result, from, bytes.length - to);
        return result;
    }

    /** Another file of the kind; one of another kind if there is none. */
    private String another(String file, List<String> alike) {
        List<String> others = (alike.size() > 1 ? alike : files)
                .stream()
                        .filter(other -> !other.equals(file) && Files.exists(directory.resolve(other)))
                        .toList();
        return others.get(random.nextInt(others.size()));
    }

    private void swap(String first, String second) throws IOException {
        note(second, "is the other");
        byte[] bytes = Files.readAllBytes(directory.resolve(first));
        replace(directory.resolve(first), directory.resolve(second));
        Files.write(directory.resolve(second), bytes);
    }

    private static void replace(Path file, Path by) throws IOException {
        Files.copy(by, file, StandardCopyOption.REPLACE_EXISTING);
    }

    /** A copy with another number in its name. */
    private void duplicate(String file) throws IOException {
        Matcher number = NUMBER.matcher(file);
        String copy = file + ".copy";
        if (number.find()) {
            int width = number.group().length();
            int radix = width == 16 ? 16 : 10;
            String changed =
                    Long.toString(Math.max(0, Long.parseLong(number.group(), radix) + random.nextInt(9) - 4), radix);
            copy = file.substring(0, number.start())
                    + "0".repeat(Math.max(0, width - changed.length()))
                    + changed
                    + file.substring(number.end());
        }
        if (!Files.exists(directory.resolve(copy))) {
            note(copy, "is the copy");
            Files.copy(directory.resolve(file), directory.resolve(copy));
        }
    }

    /** The same file of an earlier stage, or another of its kind if there was none. */
    private void makeOld(String file) throws IOException {
        Path stage = older.get(random.nextInt(older.size()));
        Path same = stage.resolve(file);
        if (!Files.exists(same)) {
            List<String> alike = Tree.files(stage).stream()
                    .filter(other -> kindOf(other).equals(kindOf(file)))
                    .toList();
            if (alike.isEmpty()) {
                done.set(done.size() - 1, file + " stays, there was none before");
                return;
            }
            same = stage.resolve(alike.get(random.nextInt(alike.size())));
        }
        done.set(done.size() - 1, file + " OLD, " + stage.relativize(same) + " of " + stage.getFileName());
        replace(directory.resolve(file), same);
    }
}
