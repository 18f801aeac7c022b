package io.rivulet.broker.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.config.ShareGroupConfig;
import io.rivulet.broker.coordinator.CoordinatorRuntime;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.time.StoreClock;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Entries that are applied again to a snapshot, from any earlier place in the log, lead to the same state. */
final class ShareReplayTest {
    private static final long SEED = Long.getLong("rivulet.seed", System.nanoTime());
    private static final int ENTRIES = 400;
    private static final int QUEUES = 5;
    private static final byte[] STATES = {RecordState.AVAILABLE, RecordState.ACKNOWLEDGED, RecordState.ARCHIVED};

    private final Random random = new Random(SEED);
    /** By group and queue: the records that nothing may happen to any more. */
    private final Map<String, BitSet> finished = new TreeMap<>();

    @Test
    void aReplayFromAnEarlierPlaceLeadsToTheSameState() throws IOException {
        ShareGroups live = groups();
        List<ByteBuffer> log = new ArrayList<>();
        List<byte[]> snapshots = new ArrayList<>();
        for (int i = 0; i < ENTRIES; i++) {
            snapshots.add(snapshot(live));
            ByteBuffer entry = entry();
            log.add(entry);
            live.apply(0, entry.duplicate());
        }
        Map<String, RowImage> expected = images(live);
        assertThat(expected).as("seed %d", SEED).isNotEmpty();
        for (int round = 0; round < 200; round++) {
            int at = random.nextInt(ENTRIES);
            ShareGroups replayed = groups();
            replayed.load(Channels.newChannel(new ByteArrayInputStream(snapshots.get(at))));
            for (int i = random.nextInt(at + 1); i < ENTRIES; i++) {
                replayed.apply(0, log.get(i).duplicate());
            }
            assertThat(images(replayed)).as("from %d, seed %d", at, SEED).isEqualTo(expected);
        }
    }

    @Test
    void whatWasAcquiredIsAvailableAfterARestart() throws IOException {
        ShareGroups live = groups();
        ShareGroup group = live.findOrCreate("g");
        assertThat(group.create(1, 10)).isTrue();
        Limits limits = new Limits(5, 100, 1000, true);
        Claim claim = Objects.requireNonNull(group.claim(1, 0, 30, 20, limits, new NoWaiter(), 0));
        Spans read = new Spans();
        read.add(10, 29);
        List<Acquired> acquired = group.acquire(claim, read, 30, Long.MAX_VALUE, 100, "m", 1000);
        group.unclaim(claim, 30, limits, new NoWaiter(), 0);
        assertThat(acquired).containsExactly(new Acquired(10, 29, 1));
        Results results = new Results();
        group.acknowledge(1, "m", List.of(new AckBatch(12, 13, AckType.ACCEPT)), limits, 0, results);
        group.acknowledge(1, "m", List.of(new AckBatch(15, 15, AckType.RELEASE)), limits, 0, results);
        ByteBuffer entry = ShareEntryLayout.results(group, results.runs().subList(0, 1));
        live.apply(0, entry);

        ShareGroups restarted = groups();
        restarted.load(Channels.newChannel(new ByteArrayInputStream(snapshot(live))));

        // The release is not in the log yet.
        assertThat(images(restarted))
                .containsExactly(Map.entry(
                        "g 1", new RowImage(1, 10, List.of(new RowImage.Part(12, 13, RecordState.ACKNOWLEDGED, 1)))));
    }

    /** As the broker writes them: no record changes that is finished, and the start offset follows finished records. */
    private ByteBuffer entry() {
        String group = "g" + random.nextInt(2);
        int queue = random.nextInt(QUEUES);
        BitSet done = finished.computeIfAbsent(group + queue, key -> new BitSet());
        return switch (random.nextInt(20)) {
            case 0 -> {
                finished.keySet().removeIf(key -> key.startsWith(group));
                yield ShareEntryLayout.groupDeleted(group);
            }
            case 1 -> {
                done.clear();
                yield ShareEntryLayout.rowsRemoved(group, new int[] {queue});
            }
            case 2 -> {
                done.clear();
                yield ShareEntryLayout.reset(group, new int[] {queue}, new long[] {random.nextInt(100)});
            }
            default -> ShareEntryLayout.results(group, List.of(new RowImage(queue, 0, parts(done))));
        };
    }

    private List<RowImage.Part> parts(BitSet done) {
        List<RowImage.Part> parts = new ArrayList<>();
        int first = random.nextInt(60);
        for (int i = random.nextInt(4); i >= 0; i--) {
            int last = first + random.nextInt(8);
            byte state = STATES[random.nextInt(STATES.length)];
            int next = done.nextSetBit(first);
            if (next < 0 || next > last) {
                parts.add(new RowImage.Part(first, last, state, 1 + random.nextInt(3)));
                if (RecordState.isFinal(state)) {
                    done.set(first, last + 1);
                }
            }
            first = last + 1 + random.nextInt(4);
        }
        return parts;
    }

    private static ShareGroups groups() {
        return new ShareGroups(
                1 << 20,
                id -> ShareGroupConfig.DEFAULT,
                new CoordinatorRuntime(StoreClock.system(0), new FailureLatch()));
    }

    private static byte[] snapshot(ShareGroups groups) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        groups.snapshot().writeTo(Channels.newChannel(out));
        return out.toByteArray();
    }

    private static Map<String, RowImage> images(ShareGroups groups) {
        Map<String, RowImage> images = new TreeMap<>();
        for (String id : List.of("g", "g0", "g1")) {
            ShareGroup group = groups.find(id);
            for (int slot = 0; group != null && slot < group.slots(); slot++) {
                RowImage image = group.image(slot);
                if (image != null) {
                    images.put(id + " " + image.queueId(), image);
                }
            }
        }
        return images;
    }
}
