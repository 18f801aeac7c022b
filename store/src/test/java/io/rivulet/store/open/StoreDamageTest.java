package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.store.AppendRequest;
import io.rivulet.store.AppendRequest.Wait;
import io.rivulet.store.Durability;
import io.rivulet.store.entry.MalformedEntryException;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.io.Disk;
import io.rivulet.store.io.DiskFile;
import io.rivulet.store.simulation.Batch;
import io.rivulet.store.simulation.Entry;
import io.rivulet.store.simulation.History;
import io.rivulet.store.simulation.Invariant;
import io.rivulet.store.simulation.LyingDisk;
import io.rivulet.store.simulation.MendedChecksums;
import io.rivulet.store.simulation.Model;
import io.rivulet.store.simulation.SimulatedWorkers;
import io.rivulet.store.simulation.Violation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Altered bytes in any place: the store may refuse to open or to read, but never returns them. */
class StoreDamageTest {
    private static final StoreConfig CONFIG = SimulatedStore.config(Durability.FSYNC, 96 << 10);
    private static final int STEPS = 120;
    private static final int SAMPLES = 500;
    private static final int LAST_BYTES = 64 << 10;
    private static final int FLIPS = Integer.getInteger("rivulet.flips", 4000);
    private static final long SEED = 42;

    private final CrashDisk disk = new CrashDisk();
    private final History history = new History(new Model());
    private final String segment;
    private final byte[] before;
    private final byte[] after;

    /** A life, and at its end one group with an entry of each kind. */
    StoreDamageTest() throws IOException {
        SimulatedStore simulated = open(disk, Tampering.NONE);
        SimulatedClient client = new SimulatedClient(simulated, history, SEED, STEPS, disk::traceLength);
        while (!client.isDone()) {
            client.step();
            simulated.workers.runAll();
        }
        var names = disk.directory("log").list().stream()
                .filter(name -> name.endsWith(".segment"))
                .toList();
        byte[][] contents =
                names.stream().map(name -> disk.content("log/" + name)).toArray(byte[][]::new);
        appendLastGroup(simulated);
        int changed = 0;
        while (Arrays.equals(contents[changed], disk.content("log/" + names.get(changed)))) {
            changed++;
        }
        segment = "log/" + names.get(changed);
        before = contents[changed];
        after = disk.content(segment);
    }

    private static SimulatedStore open(CrashDisk on, Tampering tampering) throws IOException {
        return SimulatedStore.open(on, CONFIG, new SimulatedWorkers(1, 0), tampering);
    }

    private void appendLastGroup(SimulatedStore simulated) {
        Map<Integer, Model.Queue> queues = history.predicted().queues();
        int queueId = queues.keySet().iterator().next();
        Batch batch = new Batch(SEED, 30, 1, 5);
        simulated.store.append(new AppendRequest(ByteBuffer.wrap(batch.bytes()), Wait.DURABLE, request -> {})
                .add(queueId, 0, 30, 1, 5));
        simulated.store.createQueues(1, 0);
        simulated.store.trim(queueId, 1_000_000);
        simulated.store.appendState(1, ByteBuffer.wrap(batch.bytes()));
        simulated.workers.runAll();
        history.offer(new Entry.Append(queueId, batch));
        history.offer(new Entry.Create(1, 0));
        history.offer(new Entry.Trim(queueId, 1_000_000));
        history.offer(new Entry.State(1, batch));
    }

    private int firstByte() {
        return Arrays.mismatch(before, after);
    }

    private int lastByte() {
        int last = after.length - 1;
        while (before[last] == after[last]) {
            last--;
        }
        return last;
    }

    /** The disk with only this many bytes of the last group. */
    private CrashDisk with(int bytes) throws IOException {
        CrashDisk copy = disk.afterKill();
        try (DiskFile file = copy.directory("log").open(segment.substring("log/".length()))) {
            byte[] torn = before.clone();
            System.arraycopy(after, firstByte(), torn, firstByte(), bytes);
            file.write(0, ByteBuffer.wrap(torn));
        }
        return copy;
    }

    @Test
    void aGroupThatIsCutShortAnywhereIsNotThere() throws IOException {
        Model withoutGroup = check(with(0), Tampering.NONE);
        int length = lastByte() - firstByte() + 1;
        for (int bytes = 1; bytes < length; bytes++) {
            Model found = check(with(bytes), Tampering.NONE);
            assertThat(found.summary()).as("%s of %s bytes", bytes, length).isEqualTo(withoutGroup.summary());
        }
        assertThat(check(with(length), Tampering.NONE).summary())
                .isNotEqualTo(withoutGroup.summary())
                .isEqualTo(history.predicted().summary());
    }

    @Test
    void noFlippedBitOfTheLastGroupIsReturned() {
        for (int address = firstByte(); address <= lastByte(); address++) {
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                checkFlipped(segment, address, bit, Tampering.NONE);
            }
        }
    }

    /**
     * Some of the 524,288 bits, chosen by a seed; all of them with {@code -Drivulet.flips=524288}, which takes minutes.
     */
    @Test
    void noFlippedBitOfTheLast64KiBOfTheLogIsReturned() throws IOException {
        List<LogByte> last = lastBytesOfTheLog();
        assertThat(last).hasSize(LAST_BYTES);
        int all = LAST_BYTES * Byte.SIZE;
        SplittableRandom random = new SplittableRandom(SEED);
        int toCheck = FLIPS;
        for (int flip = 0; flip < all; flip++) {
            if (random.nextInt(all - flip) < toCheck) {
                toCheck--;
                LogByte at = last.get(flip / Byte.SIZE);
                checkFlipped(at.name(), at.address(), flip % Byte.SIZE, Tampering.NONE);
            }
        }
        assertThat(toCheck).isZero();
    }

    private record LogByte(String name, int address) {}

    /** Up to the end of the last group, over as many segments as needed. */
    private List<LogByte> lastBytesOfTheLog() throws IOException {
        List<LogByte> bytes = new ArrayList<>();
        List<String> names = new ArrayList<>(disk.directory("log").list());
        names.removeIf(name -> !name.endsWith(".segment") || ("log/" + name).compareTo(segment) > 0);
        for (int i = names.size() - 1; i >= 0 && bytes.size() < LAST_BYTES; i--) {
            String name = "log/" + names.get(i);
            int end = name.equals(segment) ? lastByte() : disk.content(name).length - 1;
            for (int address = end; address >= 0 && bytes.size() < LAST_BYTES; address--) {
                bytes.add(new LogByte(name, address));
            }
        }
        return bytes;
    }

    @Test
    void noFlippedBitOfABlockFileOrASnapshotIsReturned() throws IOException {
        SplittableRandom random = new SplittableRandom(SEED);
        List<String> names = new ArrayList<>();
        disk.directory("blocks").list().forEach(name -> names.add("blocks/" + name));
        disk.directory("log").list().stream()
                .filter(name -> name.endsWith(".snapshot"))
                .forEach(name -> names.add("log/" + name));
        assertThat(names).hasSizeGreaterThan(5);
        for (int sample = 0; sample < SAMPLES; sample++) {
            String name = names.get(random.nextInt(names.size()));
            int address = random.nextInt(disk.content(name).length);
            checkFlipped(name, address, random.nextInt(Byte.SIZE), Tampering.NONE);
        }
    }

    @Test
    void withoutChecksumsAFlippedBitIsReturned() {
        Tampering mended = new Tampering() {
            @Override
            public Disk disk(Disk real) {
                return new LyingDisk(real, new MendedChecksums());
            }
        };
        assertThatThrownBy(() -> {
                    for (int address = firstByte(); address <= lastByte(); address++) {
                        checkFlipped(segment, address, 0, mended);
                    }
                })
                .isInstanceOfAny(Violation.class, MalformedEntryException.class);
    }

    private void checkFlipped(String name, int address, int bit, Tampering tampering) {
        CrashDisk flipped = disk.afterKill();
        flipped.flipBit(name, address, bit);
        try {
            check(flipped, tampering);
        } catch (IOException refused) {
            assertThat(refused).hasMessageMatching("(?s).*\\.(segment|blocks|snapshot).*");
        } catch (Violation e) {
            throw e.at(name + ", byte " + address + ", bit " + bit);
        }
    }

    /** The content is a beginning of the log, and each read of it is right or fails. */
    private Model check(CrashDisk left, Tampering tampering) throws IOException {
        SimulatedStore simulated = open(left, tampering);
        Model found = history.afterCut(simulated.summary(), -1);
        StoreChecker checker = new StoreChecker(simulated);
        for (Map.Entry<Integer, Model.Queue> queue : found.queues().entrySet()) {
            try {
                long offset = queue.getValue().startOffset();
                while (offset < queue.getValue().endOffset()) {
                    offset = checker.requireRead(queue.getKey(), queue.getValue(), offset, 50_000);
                }
            } catch (Violation e) {
                if (e.invariant() != Invariant.OFFSETS_CONTIGUOUS || !(e.getCause() instanceof IOException)) {
                    throw e;
                }
            }
        }
        return found;
    }
}
