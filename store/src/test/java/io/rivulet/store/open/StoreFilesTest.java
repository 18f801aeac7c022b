package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.store.ReadStatus;
import io.rivulet.store.StoreReader;
import io.rivulet.store.block.merge.MergePolicy;
import io.rivulet.store.block.write.BlockFileLimits;
import io.rivulet.store.inspect.StoreInspector;
import io.rivulet.store.io.Disk;
import io.rivulet.store.io.DiskFile;
import io.rivulet.store.io.ForwardingDisk;
import io.rivulet.store.io.LocalDisk;
import io.rivulet.store.io.ReadOnlyDisk;
import io.rivulet.store.io.SetAside;
import io.rivulet.store.log.local.LocalLogConfig;
import io.rivulet.store.maintenance.MergeConfig;
import io.rivulet.store.repair.Repair;
import io.rivulet.store.repair.RepairAdvice;
import io.rivulet.store.simulation.FoldingView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every kind of file in a data directory, with every kind of damage. A start serves all that was acknowledged, or
 * refuses and does not change the disk. A repair then saves everything except the damaged part, and reports what that
 * was.
 */
@TestInstance(Lifecycle.PER_CLASS)
final class StoreFilesTest {
    private static final long SEED = Long.getLong("rivulet.seed", System.nanoTime());
    private static final StoreConfig CONFIG = StoreConfig.DEFAULT
            .withLog(LocalLogConfig.DEFAULT.withGroups(4, 64 << 10).withSegmentBytes(128 << 10))
            .withMemory(1 << 20, 1 << 20)
            .withMaxReplayBytes(64 << 10)
            .withMerge(
                    new MergeConfig(new MergePolicy(100, 2, 400, 32 << 10), BlockFileLimits.MERGE, 4 << 20, 1 << 30));
    private static final int QUEUES = 40;
    private static final int ROUNDS = 20;
    private static final long NOW = 1_700_000_000_000L;
    private static final Pattern LOST = Pattern.compile("LOST queue (\\d+): offsets (\\d+) to (\\d+)");

    /** The kinds of damage. */
    enum Damage {
        MISSING,
        EMPTY,
        TRUNCATED,
        FLIPPED,
        OLD,
        DOUBLED,
        DIRECTORY,
        READ_ONLY,
        OF_ANOTHER_STORE
    }

    /** Each kind stands for one file. */
    enum Kind {
        STATE("log/log\\.state"),
        FIRST_SEGMENT("log/[0-9a-f]{16}\\.segment"),
        LAST_SEGMENT("log/[0-9a-f]{16}\\.segment"),
        SPARE("log/[0-9a-f]{16}\\.spare"),
        MANIFEST("log/manifest\\.snapshot"),
        MANIFEST_COPY("log/manifest-\\d+\\.snapshot"),
        QUEUES("log/queues-\\d+\\.snapshot"),
        VIEW("log/view-1-\\d+\\.snapshot"),
        VIEW_THAT_MUST_NOT_GO("log/view-2-\\d+\\.snapshot"),
        LIMITS("log/view-2147483647-\\d+\\.snapshot"),
        OLDEST_BLOCKS("blocks/\\d{12}\\.blocks"),
        YOUNGEST_BLOCKS("blocks/\\d{12}\\.blocks");

        private final Pattern path;

        Kind(String path) {
            this.path = Pattern.compile(path);
        }

        @Nullable
        Path in(Path root) throws IOException {
            try (Stream<Path> files = Files.walk(root)) {
                List<Path> found = files.filter(file ->
                                path.matcher(root.relativize(file).toString()).matches())
                        .sorted()
                        .toList();
                boolean last = this == LAST_SEGMENT || this == YOUNGEST_BLOCKS;
                return found.isEmpty() ? null : found.get(last ? found.size() - 1 : 0);
            }
        }
    }

    static Stream<Arguments> cases() {
        return Arrays.stream(Kind.values())
                .flatMap(kind -> Arrays.stream(Damage.values()).map(damage -> Arguments.of(kind, damage)));
    }

    /** One view may be lost, the other may not. */
    private static final class Advice implements RepairAdvice {
        @Override
        public @Nullable String consequenceOfLosing(int viewId) {
            return viewId == 2 ? null : "nobody minds";
        }
    }

    private Path scratch = Path.of("");
    private final SplittableRandom random = new SplittableRandom(SEED);
    /** For each queue, batches of one record; the index is the offset. */
    private final Map<Integer, List<byte[]>> model = new TreeMap<>();

    private Path before = Path.of("");
    private Path old = Path.of("");
    private Path another = Path.of("");
    private List<FoldingView> views = List.of();
    private List<String> states = List.of();
    private int caseNumber;

    @BeforeAll
    void liveTwice(@TempDir Path directory) throws Exception {
        scratch = directory;
        another = live("another", false);
        model.clear();
        old = scratch.resolve("old");
        before = live("before", true);
    }

    private Path live(String name, boolean keepsOld) throws Exception {
        Path root = Files.createDirectory(scratch.resolve(name));
        try (LocalStore store = open(new LocalDisk(root))) {
            StoreDriver driver = new StoreDriver(store);
            store.createQueues(QUEUES, 0).toCompletableFuture().get(10, TimeUnit.SECONDS);
            for (int round = 0; round < ROUNDS; round++) {
                // Block files refer to large batches in the log. The first segment has none, so that it is trimmed.
                boolean hasLarge = round >= 8 && round % 4 == 0;
                for (int queueId = 0; queueId < QUEUES; queueId++) {
                    append(driver, queueId, 1 + random.nextInt(hasLarge && queueId == 3 ? 40_000 : 1500));
                }
                store.appendState(1 + round % 2, ByteBuffer.wrap(new byte[] {(byte) round}))
                        .toCompletableFuture()
                        .get(10, TimeUnit.SECONDS);
                if (round % 3 == 1) {
                    driver.sweepEverything();
                }
                if (keepsOld && round == ROUNDS - 3) {
                    copy(root, old);
                }
            }
            states = views.stream().map(FoldingView::state).toList();
            // The state after a kill.
            Path killed = copy(root, scratch.resolve(name + "-killed"));
            if (Kind.SPARE.in(killed) == null) {
                Files.write(killed.resolve("log/00000000000003e7.spare"), new byte[128 << 10]);
            }
            return killed;
        }
    }

    private void append(StoreDriver driver, int queueId, int length) throws Exception {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        driver.append(queueId, 1, 1000, bytes);
        model.computeIfAbsent(queueId, id -> new ArrayList<>()).add(bytes);
    }

    private LocalStore open(Disk disk) throws IOException {
        return open(disk, NOW);
    }

    private LocalStore open(Disk disk, long nowMillis) throws IOException {
        views = List.of(new FoldingView(1), new FoldingView(2));
        return LocalStore.open(
                CONFIG, new StoreEnvironment(disk, new StepWorkers(), () -> nowMillis), Attachments.of(views));
    }

    private static Path copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, to.resolve(from.relativize(file)), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        return to;
    }

    private static Map<String, String> tree(Path root) throws IOException {
        Map<String, String> tree = new TreeMap<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                String content = Files.isDirectory(file) ? "folder" : Arrays.hashCode(Files.readAllBytes(file)) + "";
                tree.put(root.relativize(file).toString(), content);
            }
        }
        tree.remove("lock");
        return tree;
    }

    // ---- the damages ----

    /** False if the damage changes nothing. */
    private boolean damage(Kind kind, Damage damage, Path file) throws IOException {
        byte[] content = Files.readAllBytes(file);
        switch (damage) {
            case MISSING -> Files.delete(file);
            case EMPTY -> Files.write(file, new byte[0]);
            case TRUNCATED -> Files.write(file, Arrays.copyOf(content, random.nextInt(content.length)));
            case FLIPPED -> {
                content[random.nextInt(content.length)] ^= (byte) (1 << random.nextInt(8));
                Files.write(file, content);
            }
            case OLD -> {
                return replaced(kind.in(old), file);
            }
            case OF_ANOTHER_STORE -> {
                return replaced(kind.in(another), file);
            }
            case DOUBLED -> Files.copy(file, next(file));
            case DIRECTORY -> {
                Files.delete(file);
                Files.createDirectory(file);
            }
            default -> {} // READ_ONLY: the disk refuses
        }
        return true;
    }

    private static boolean replaced(@Nullable Path by, Path file) throws IOException {
        if (by == null || Arrays.equals(Files.readAllBytes(by), Files.readAllBytes(file))) {
            return false;
        }
        Files.copy(by, file, StandardCopyOption.REPLACE_EXISTING);
        return true;
    }

    /** The name of the next file of this kind. */
    private static Path next(Path file) throws IOException {
        String name = file.getFileName().toString();
        Matcher number = Pattern.compile("(.*?)(\\d+)(\\D*)").matcher(name);
        if (name.endsWith(".segment")) {
            long base = Long.parseLong(name.substring(0, 16), 16) + (128 << 10);
            Path wanted = file.resolveSibling(String.format("%016x.segment", base));
            return Files.exists(wanted)
                    ? file.resolveSibling(String.format("%016x.segment", base + (10L << 20)))
                    : wanted;
        }
        if (number.matches()) {
            String digits = number.group(2);
            String next = String.format("%0" + digits.length() + "d", Long.parseLong(digits) + 1000);
            return file.resolveSibling(number.group(1) + next + number.group(3));
        }
        return file.resolveSibling(name + "-copy");
    }

    private static Disk refusing(Path root, Path readOnly) {
        return new RefusingDisk(new LocalDisk(root), root.relativize(readOnly).toString());
    }

    /** The operating system refuses writes to a file. */
    private static final class RefusingDisk extends ForwardingDisk {
        private final Disk disk;
        private final String path;

        RefusingDisk(Disk disk, String path) {
            super(disk);
            this.disk = disk;
            this.path = path;
        }

        @Override
        public DiskFile open(String name, IoMode mode) throws IOException {
            if (name.equals(path)) {
                throw new AccessDeniedException(disk.describe() + "/" + name);
            }
            return super.open(name, mode);
        }

        @Override
        public Disk directory(String name) throws IOException {
            String within = path.startsWith(name + "/") ? path.substring(name.length() + 1) : "";
            return new RefusingDisk(disk.directory(name), within);
        }
    }

    // ---- the table ----

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("cases")
    void aStartServesAllOrRefusesUnchangedAndARepairSavesTheRest(Kind kind, Damage damage) throws Exception {
        Path root = copy(before, scratch.resolve("case-" + caseNumber++));
        Path file = Objects.requireNonNull(kind.in(root), "a file of kind " + kind);
        if (!damage(kind, damage, file)) {
            return;
        }
        String what = "seed " + SEED + ", " + root.relativize(file) + " " + damage;
        Map<String, String> damaged = tree(root);
        boolean served = false;
        try (LocalStore store = open(damage == Damage.READ_ONLY ? refusing(root, file) : new LocalDisk(root))) {
            served = requireAllOrReadErrors(store, what);
        } catch (IOException refused) {
            assertThat(tree(root)).as("%s: refused with %s", what, refused).isEqualTo(damaged);
            assertThat(refused.getMessage()).as(what).isNotBlank();
        }
        if (damage == Damage.READ_ONLY) {
            requireRepairRefusedUnchanged(root, file, what);
        } else if (!served) {
            repairAndRequireTheRest(root, kind, what);
        }
        delete(root);
    }

    /** False if some reads fail. All results are right, and no gap is skipped. */
    private boolean requireAllOrReadErrors(LocalStore store, String what) {
        boolean all = true;
        assertThat(views.stream().map(FoldingView::state).toList()).as(what).isEqualTo(states);
        for (Map.Entry<Integer, List<byte[]>> queue : model.entrySet()) {
            int queueId = queue.getKey();
            assertThat(store.endOffset(queueId))
                    .as("%s: end of queue %s", what, queueId)
                    .isEqualTo(queue.getValue().size());
            try {
                Map<Long, byte[]> read = readAll(store, queueId);
                requireRight(read, queue.getValue(), what);
                assertThat(read).as("%s: queue %s", what, queueId).hasSameSizeAs(queue.getValue());
            } catch (IOException e) {
                all = false;
            }
        }
        return all;
    }

    private static Map<Long, byte[]> readAll(LocalStore store, int queueId) throws IOException {
        Map<Long, byte[]> read = new TreeMap<>();
        StoreReader reader = store.reader();
        long[] next = {store.startOffset(queueId)};
        ReadStatus status = ReadStatus.BATCHES;
        while (status == ReadStatus.BATCHES) {
            status = reader.read(queueId, next[0], 1 << 16, (base, count, timestamp, bytes, at, length) -> {
                byte[] copy = new byte[length];
                bytes.get(at, copy);
                read.put(base, copy);
                next[0] = base + count;
                return true;
            });
        }
        return read;
    }

    private static void requireRight(Map<Long, byte[]> read, List<byte[]> expected, String what) {
        read.forEach((offset, bytes) ->
                assertThat(bytes).as("%s: offset %s", what, offset).isEqualTo(expected.get(offset.intValue())));
    }

    /** A file without read permission is not damaged. */
    private static void requireRepairRefusedUnchanged(Path root, Path file, String what) throws IOException {
        if (!Files.exists(file)) {
            return; // The start did not need it.
        }
        Map<String, String> before = tree(root);
        assertThatThrownBy(() -> Repair.run(refusing(root, file), false, NOW, new Advice(), line -> {}))
                .as(what)
                .isInstanceOf(AccessDeniedException.class);
        assertThat(tree(root)).as(what).isEqualTo(before);
    }

    private void repairAndRequireTheRest(Path root, Kind kind, String what) throws Exception {
        List<String> before = new ArrayList<>();
        assertThat(StoreInspector.inspect(new ReadOnlyDisk(root), true, before::add)
                        .isSound())
                .as("%s: before the repair\n%s", what, String.join("\n", before))
                .isFalse();
        List<String> lines = new ArrayList<>();
        Repair.Result result = Repair.run(new LocalDisk(root), false, NOW, new Advice(), lines::add);
        if (result == Repair.Result.NOT_REPAIRED) {
            result = Repair.run(new LocalDisk(root), true, NOW, new Advice(), lines::add);
        }
        String said = what + ": " + String.join("\n", lines);
        if (kind == Kind.VIEW_THAT_MUST_NOT_GO || kind == Kind.QUEUES) {
            assertThat(result).as(said).isEqualTo(Repair.Result.NOT_REPAIRED);
            return;
        }
        assertThat(result).as(said).isNotEqualTo(Repair.Result.NOT_REPAIRED);
        List<String> inspected = new ArrayList<>();
        assertThat(StoreInspector.inspect(new ReadOnlyDisk(root), true, inspected::add)
                        .isSound())
                .as("%s\n%s", said, String.join("\n", inspected))
                .isTrue();
        try (LocalStore store = open(new LocalDisk(root))) {
            for (Map.Entry<Integer, List<byte[]>> queue : model.entrySet()) {
                boolean endIsGone = lines.stream()
                        .anyMatch(line -> line.contains("LOST the log was cut")
                                || line.contains("LOST what the log held")
                                || line.contains("LOST log/"));
                requireTheRest(store, queue.getKey(), queue.getValue(), lines, endIsGone, said);
            }
        }
    }

    private static void requireTheRest(
            LocalStore store, int queueId, List<byte[]> expected, List<String> lines, boolean cut, String said)
            throws IOException {
        Map<Long, byte[]> read = readAll(store, queueId);
        requireRight(read, expected, said);
        long end = store.endOffset(queueId);
        if (!cut) {
            assertThat(end).as("%s: end of queue %s", said, queueId).isEqualTo(expected.size());
        }
        for (long offset = 0; offset < end; offset++) {
            if (!read.containsKey(offset)) {
                assertThat(isSaidToBeLost(lines, queueId, offset))
                        .as("%s: offset %s of queue %s is said to be lost", said, offset, queueId)
                        .isTrue();
            }
        }
    }

    private static boolean isSaidToBeLost(List<String> lines, int queueId, long offset) {
        for (String line : lines) {
            Matcher lost = LOST.matcher(line);
            if (lost.find()
                    && Integer.parseInt(lost.group(1)) == queueId
                    && Long.parseLong(lost.group(2)) <= offset
                    && Long.parseLong(lost.group(3)) >= offset) {
                return true;
            }
        }
        return false;
    }

    // ---- files that are no part of it, and folders ----

    private Path copyOfTheStore() throws IOException {
        return copy(before, scratch.resolve("case-" + caseNumber++));
    }

    private static List<String> names(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private void requireRefusedUnchanged(Path root, String saying) throws IOException {
        Map<String, String> damaged = tree(root);
        try (LocalStore store = open(new LocalDisk(root))) {
            throw new AssertionError("it opened with " + store.liveQueues() + " queues");
        } catch (IOException refused) {
            assertThat(refused).hasMessageContaining(saying).hasMessageContaining("inspect --repair");
        }
        assertThat(tree(root)).isEqualTo(damaged);
    }

    @Test
    void foreignFilesAreLeftAloneAndNoReasonToRefuse() throws Exception {
        Path root = copyOfTheStore();
        List<String> foreign = List.of(
                "notes.txt",
                "log/notes.txt",
                "log/.nfs0000000000000001",
                "log/0000000000000000.segment~",
                "log/zzzzzzzzzzzzzzzz.segment",
                "log/copy.spare",
                "log/view-backup.snapshot",
                "blocks/000000000001.blocks.bak",
                "blocks/1.blocks");
        for (String name : foreign) {
            Files.writeString(root.resolve(name), name);
        }
        Files.createDirectory(root.resolve("lost+found"));

        try (LocalStore store = open(new LocalDisk(root))) {
            assertThat(requireAllOrReadErrors(store, "foreign files")).isTrue();
            new StoreDriver(store).sweepEverything();
        }

        for (String name : foreign) {
            assertThat(root.resolve(name)).hasContent(name);
        }
        assertThat(root.resolve("lost+found")).isDirectory();
        assertThat(names(root.resolve("set-aside"))).isEmpty();
    }

    @Test
    void anUnknownBlockFileIsSetAsideAndDeletedAfterAWeek() throws Exception {
        Path root = copyOfTheStore();
        Files.writeString(root.resolve("blocks/000000900000.blocks"), "of whom?");

        open(new LocalDisk(root)).close();
        assertThat(root.resolve("blocks/000000900000.blocks")).doesNotExist();
        assertThat(names(root.resolve("set-aside"))).hasSize(1);
        open(new LocalDisk(root), NOW + TimeUnit.DAYS.toMillis(6)).close();
        assertThat(names(root.resolve("set-aside"))).hasSize(1);
        open(new LocalDisk(root), NOW + TimeUnit.DAYS.toMillis(8)).close();
        assertThat(names(root.resolve("set-aside"))).isEmpty();
    }

    @Test
    void blockFilesThatAreNewerThanTheLogAreARefusal() throws Exception {
        Path root = copyOfTheStore();
        delete(root.resolve("log"));
        copy(old.resolve("log"), root.resolve("log"));

        requireRefusedUnchanged(root, "older");
    }

    /**
     * Found by {@code prove --check damage --seed 5027}: damage that begins before the replay and reaches into it was
     * none for an inspection, so a repair did nothing.
     */
    @Test
    void anInspectionCallsNothingSoundThatAStartRefuses() throws Exception {
        int refused = 0;
        for (String name : names(before.resolve("log"))) {
            if (name.endsWith(".segment")) {
                Path root = copyOfTheStore();
                Path segment = root.resolve("log").resolve(name);
                byte[] bytes = Files.readAllBytes(segment);
                Arrays.fill(bytes, 4096, bytes.length, (byte) 0);
                Files.write(segment, bytes);
                boolean sound = StoreInspector.inspect(new ReadOnlyDisk(root), true, line -> {})
                        .isSound();
                try (LocalStore store = open(new LocalDisk(root))) {
                    assertThat(store.failure()).isNull();
                } catch (IOException e) {
                    refused++;
                    assertThat(sound).as("%s: %s", name, e.getMessage()).isFalse();
                }
            }
        }
        assertThat(refused).isPositive();
    }

    @Test
    void withoutItsLogOrItsBlocksADirectoryIsRefused() throws Exception {
        Path withoutLog = copyOfTheStore();
        delete(withoutLog.resolve("log"));
        requireRefusedUnchanged(withoutLog, "there is no log");

        Path ofWhichOnlyTheLogHeldSomething = copyOfTheStore();
        delete(ofWhichOnlyTheLogHeldSomething.resolve("log"));
        for (String name : names(ofWhichOnlyTheLogHeldSomething.resolve("blocks"))) {
            Files.delete(ofWhichOnlyTheLogHeldSomething.resolve("blocks").resolve(name));
        }
        requireRefusedUnchanged(ofWhichOnlyTheLogHeldSomething, "there is no log");

        Path withoutState = copyOfTheStore();
        Files.delete(withoutState.resolve("log").resolve("log.state"));
        requireRefusedUnchanged(withoutState, "log/log.state is missing");

        Path withoutSegments = copyOfTheStore();
        for (String name : names(withoutSegments.resolve("log"))) {
            if (name.endsWith(".segment")) {
                Files.delete(withoutSegments.resolve("log").resolve(name));
            }
        }
        requireRefusedUnchanged(withoutSegments, "all segments are missing");
        assertThat(Repair.run(new LocalDisk(withoutSegments), true, NOW, new Advice(), line -> {}))
                .isEqualTo(Repair.Result.NOT_REPAIRED);

        Path withoutBlocks = copyOfTheStore();
        delete(withoutBlocks.resolve("blocks"));
        requireRefusedUnchanged(withoutBlocks, "blocks is missing");
    }

    @Test
    void anInterruptedRepairContinuesWithTheFileThatItHadSetAside() throws Exception {
        Path root = copyOfTheStore();
        String name = names(root.resolve("blocks")).get(0);
        new SetAside(new LocalDisk(root)).move("blocks", name, NOW);

        List<String> lines = new ArrayList<>();
        Repair.Result result = Repair.run(new LocalDisk(root), false, NOW, new Advice(), lines::add);

        assertThat(result).as("%s", lines).isEqualTo(Repair.Result.REPAIRED);
        try (LocalStore store = open(new LocalDisk(root))) {
            assertThat(requireAllOrReadErrors(store, "cut short")).isTrue();
        }
    }

    @Test
    void aSoundStoreNeedsNoRepair() throws Exception {
        List<String> lines = new ArrayList<>();

        assertThat(Repair.run(new LocalDisk(copyOfTheStore()), false, NOW, new Advice(), lines::add))
                .as("%s", lines)
                .isEqualTo(Repair.Result.NOTHING_TO_DO);
    }

    private static void delete(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
                Files.delete(file);
            }
        }
    }
}
