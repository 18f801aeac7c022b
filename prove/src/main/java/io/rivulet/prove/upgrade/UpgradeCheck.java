package io.rivulet.prove.upgrade;

import io.rivulet.prove.Check;
import io.rivulet.prove.Runner;
import io.rivulet.prove.damage.Picture;
import io.rivulet.prove.damage.PictureReader;
import io.rivulet.prove.damage.SmallBroker;
import io.rivulet.prove.damage.Tree;
import io.rivulet.prove.hostile.GoodClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Opens archives of earlier versions, also after kills in a start, and shows files of later ones. Immutable. */
public final class UpgradeCheck implements Check {
    private static final int POINTS_OF_AN_ARCHIVE = 3;
    private static final int KILLS = 2;
    private static final long LONGEST_LIFE_NANOS = TimeUnit.MILLISECONDS.toNanos(400);
    private static final long MOST_NANOS_UNTIL_A_CHANGE = TimeUnit.SECONDS.toNanos(60);
    private static final long GLANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    @Override
    public String name() {
        return "upgrade";
    }

    @Override
    public String promise() {
        return "data of earlier versions are opened with all their content, twice and after kills in the first start;"
                + " later formats are refused by name";
    }

    @Override
    public int points() {
        try {
            return POINTS_OF_AN_ARCHIVE * Archive.names().size();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Points open(Path scratch, Path kept) throws IOException {
        List<String> names = Archive.names();
        return seed -> {
            String name = names.get(Math.floorMod(seed / POINTS_OF_AN_ARCHIVE, names.size()));
            Path directory = scratch.resolve("upgrade-" + seed);
            Archive archive = Archive.unpack(name, directory);
            long behind = System.currentTimeMillis() - archive.millis();
            List<String> violations = new ArrayList<>();
            try {
                switch (Math.floorMod(seed, POINTS_OF_AN_ARCHIVE)) {
                    case 0 -> violations.addAll(openTwice(directory, archive.truth(), behind));
                    case 1 -> violations.addAll(kill(directory, archive.truth(), behind, new Random(seed)));
                    default -> violations.addAll(showLaterFormats(directory, scratch, behind));
                }
            } finally {
                Runner.delete(directory);
            }
            return new Found(
                    1, violations.stream().map(line -> name + ": " + line).toList());
        };
    }

    /** The second start reads what the first one has written; then a record is written and read. */
    static List<String> openTwice(Path directory, Picture truth, long behindMillis) throws IOException {
        List<String> found = new ArrayList<>();
        for (int start = 0; start < 2; start++) {
            try (SmallBroker broker = start(directory, behindMillis)) {
                found.addAll(Known.wrong(PictureReader.read(broker.servers(), truth), truth));
                if (start > 0) {
                    String complaint = GoodClient.complaint(broker.port());
                    if (complaint != null) {
                        found.add(complaint);
                    }
                }
                Throwable failure = broker.failure();
                if (failure != null) {
                    found.add("the broker has failed: " + failure);
                }
            }
        }
        return found;
    }

    private static SmallBroker start(Path directory, long behindMillis) throws IOException {
        return SmallBroker.start(
                directory, ArchiveMaker.SEGMENT_BYTES, () -> System.currentTimeMillis() - behindMillis);
    }

    /** Ends the first start and the next one in their midst: a while after they have changed the first file. */
    private static List<String> kill(Path directory, Picture truth, long behindMillis, Random random)
            throws IOException, InterruptedException {
        for (int i = 0; i < KILLS; i++) {
            SortedMap<String, String> before = Tree.contents(directory);
            Process process = OneStart.begin(directory, behindMillis);
            try {
                long endNanos = System.nanoTime() + MOST_NANOS_UNTIL_A_CHANGE;
                while (process.isAlive() && isSame(directory, before) && System.nanoTime() - endNanos < 0) {
                    LockSupport.parkNanos(GLANCE_NANOS);
                }
                LockSupport.parkNanos((long) (random.nextDouble() * LONGEST_LIFE_NANOS));
                if (!process.isAlive()) {
                    return List.of("the start has ended: "
                            + new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
                }
            } finally {
                process.destroyForcibly().waitFor();
            }
        }
        return openTwice(directory, truth, behindMillis);
    }

    private static boolean isSame(Path directory, SortedMap<String, String> before) {
        try {
            return Tree.contents(directory).equals(before);
        } catch (IOException | RuntimeException e) {
            return false; // a file has just gone
        }
    }

    private static List<String> showLaterFormats(Path directory, Path scratch, long behindMillis) throws IOException {
        List<String> found = new ArrayList<>();
        for (NewerFormat format : NewerFormat.values()) {
            Path copy = scratch.resolve(directory.getFileName() + "-" + format.name());
            Tree.copy(directory, copy);
            try {
                if (!format.in(copy).isEmpty()) {
                    found.addAll(complaints(format, copy, behindMillis));
                }
            } finally {
                Runner.delete(copy);
            }
        }
        return found;
    }

    /** A later format must be refused by its name, with nothing changed. */
    private static List<String> complaints(NewerFormat format, Path directory, long behindMillis) throws IOException {
        SortedMap<String, String> before = Tree.contents(directory);
        try (SmallBroker broker = start(directory, behindMillis)) {
            return List.of(format.title() + " of a later version is opened, at " + broker.servers());
        } catch (IOException | RuntimeException e) {
            return judge(format, e, Tree.contents(directory).equals(before));
        }
    }

    static List<String> judge(NewerFormat format, Throwable refusal, boolean isUnchanged) {
        List<String> found = new ArrayList<>();
        if (!(refusal instanceof IOException) || !format.isNamedBy(String.valueOf(refusal.getMessage()))) {
            found.add(format.title() + " of a later version is refused without its name: " + refusal);
        }
        if (!isUnchanged) {
            found.add(format.title() + " of a later version: the refused start has changed a file");
        }
        return found;
    }
}
