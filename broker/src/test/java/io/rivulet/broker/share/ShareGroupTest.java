package io.rivulet.broker.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.coordinator.EntryText;
import io.rivulet.broker.error.ErrorCode;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Compares a group with a {@link ShareModel}, which has each record by itself, over random steps. */
final class ShareGroupTest {
    private static final long SEED = Long.getLong("rivulet.seed", System.nanoTime());
    private static final int QUEUES = 3;
    private static final int OFFSETS = 400;
    private static final String[] MEMBERS = {"a", "b", "c"};

    /** The results of one entry, on its way to the log. */
    private record Entry(List<Run> runs, List<RowImage> images, ByteBuffer bytes) {}

    private final Random random = new Random(SEED);
    private final ShareMemory memory = new ShareMemory(Long.MAX_VALUE);
    private final Deque<Entry> entries = new ArrayDeque<>();
    private final Set<ErrorCode> errors = EnumSet.noneOf(ErrorCode.class);
    private ShareGroup group = new ShareGroup("g", new ShareMemory(0), new ShareCounters());
    private ShareModel[] models = {};
    private Limits limits = new Limits(3, 60, 100, true);
    private long now;
    private int acquired;
    private int archived;
    private int undone;

    @Test
    void itDoesWhatAModelOfSingleRecordsDoes() {
        for (int round = 0; round < 60; round++) {
            begin();
            for (int step = 0; step < 400; step++) {
                step();
                for (ShareModel model : models) {
                    compare(model);
                }
            }
            entries.forEach(entry -> memory.add(-(long) entry.runs.size() * Results.HEAP_BYTES));
            group.delete();
            assertThat(memory.bytes()).as("the memory is free, seed %d", SEED).isZero();
        }
        assertThat(errors)
                .as("seed %d", SEED)
                .contains(ErrorCode.NONE, ErrorCode.INVALID_RECORD_STATE, ErrorCode.INVALID_REQUEST);
        assertThat(acquired).isGreaterThan(1000);
        assertThat(archived).isGreaterThan(100);
        assertThat(undone).isGreaterThan(100);
    }

    private void begin() {
        group = new ShareGroup("g", memory, new ShareCounters());
        limits = new Limits(2 + random.nextInt(6), 20 + random.nextInt(80), 100, random.nextInt(8) > 0);
        entries.clear();
        now = random.nextLong();
        models = new ShareModel[QUEUES];
        for (int queue = 0; queue < QUEUES; queue++) {
            models[queue] = new ShareModel(queue, OFFSETS, random);
            assertThat(group.create(queue, 0)).isTrue();
        }
    }

    private void step() {
        now += random.nextInt(12);
        ShareModel model = models[random.nextInt(QUEUES)];
        String member = MEMBERS[random.nextInt(MEMBERS.length)];
        switch (random.nextInt(16)) {
            case 0, 1, 2, 3 -> acquire(model, member);
            case 4, 5, 6, 7, 8 -> acknowledge(model, member);
            case 9 -> expire();
            case 10 -> release(member);
            case 11, 12, 13, 14 -> endEntry();
            default -> {
                if (random.nextInt(20) == 0) {
                    reset(model);
                } else {
                    model.trim(Math.min(OFFSETS, model.start + random.nextInt(6)));
                }
            }
        }
    }

    private void acquire(ShareModel model, String member) {
        int most = 1 + random.nextInt(30);
        long end = Math.min(OFFSETS, model.start + random.nextInt(120));
        long next = next(model);
        Claim claim = group.claim(model.queueId, model.start, end, most, limits, new NoWaiter(), 0);
        long from = model.firstAvailable();
        boolean isFull = from >= next && from >= model.start + limits.recordLocks();
        assertThat(claim == null)
                .as("nothing at %d of %d, seed %d", from, end, SEED)
                .isEqualTo(from >= end || isFull);
        if (claim == null) {
            model.settle(group.startOffset(model.queueId));
            return;
        }
        assertThat(claim.from()).as("seed %d", SEED).isEqualTo(from);
        assertThat(group.claim(model.queueId, model.start, end, most, limits, new NoWaiter(), 0))
                .as("a second claim")
                .isNull();
        Spans read = new Spans();
        long readUntil = model.read(claim.from(), claim.until(), read);
        boolean strict = random.nextBoolean();
        List<Acquired> got = group.acquire(
                claim, read, readUntil, strict ? most : Long.MAX_VALUE, 1 + random.nextInt(20), member, now + 100);
        boolean hasMore = group.unclaim(claim, end, limits, new NoWaiter(), 0);
        List<Long> expected = model.acquire(from, readUntil, strict ? most : Long.MAX_VALUE, member, now + 100, limits);
        List<Long> offsets = new ArrayList<>();
        for (Acquired range : got) {
            for (long offset = range.firstOffset(); offset <= range.lastOffset(); offset++) {
                offsets.add(offset);
                assertThat(range.deliveries()).as("seed %d", SEED).isEqualTo(model.at(offset).deliveries);
            }
        }
        assertThat(offsets).as("seed %d", SEED).isEqualTo(expected);
        assertThat(hasMore).as("more behind %s, seed %d", got, SEED).isEqualTo(hasMore(model, end));
        model.acquired(got);
        acquired += offsets.size();
        if (random.nextInt(10) == 0) {
            group.undo(model.queueId, got, member);
            model.undo(offsets);
            undone += offsets.size();
        }
    }

    private boolean hasMore(ShareModel model, long end) {
        long next = next(model);
        long from = model.firstAvailable();
        boolean isFull = from >= group.startOffset(model.queueId) + limits.recordLocks();
        return from < next || (from < end && !isFull);
    }

    private long next(ShareModel model) {
        RowRuns runs = group.runsOf(model.queueId);
        long start = group.startOffset(model.queueId);
        return Math.max(model.start, runs == null ? start : runs.next(start));
    }

    private void acknowledge(ShareModel model, String member) {
        long first = Math.max(0, model.start - 4 + random.nextInt(40));
        List<AckBatch> batches = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            long last = first + random.nextInt(random.nextInt(4) == 0 ? 40 : 6);
            byte[] types = new byte[random.nextBoolean() ? 1 : (int) (last - first + 1)];
            for (int j = 0; j < types.length; j++) {
                types[j] = (byte) random.nextInt(5);
            }
            batches.add(new AckBatch(first, last, types));
            first = last + 1 + random.nextInt(5);
        }
        assertThat(AckBatch.areValid(batches, AckType.RENEW)).isTrue();
        // The start offset of the group follows that of the log when a fetch comes, so a trim may not be seen yet.
        if (group.startOffset(model.queueId) < model.start && model.isTrimmed()) {
            return;
        }
        Results results = new Results();
        ErrorCode error = group.acknowledge(model.queueId, member, batches, limits, now, results);
        errors.add(error);
        assertThat(error)
                .as("%s of %s, seed %d", batches, member, SEED)
                .isEqualTo(model.acknowledge(batches, member, limits, now, next(model)));
        append(results);
    }

    private void expire() {
        Results results = new Results();
        group.expire(now, limits, Integer.MAX_VALUE, results);
        for (ShareModel model : models) {
            model.expire(now, limits.deliveryCount(), group.startOffset(model.queueId));
        }
        append(results);
    }

    private void release(String member) {
        Results results = new Results();
        group.release(member, limits, results);
        for (ShareModel model : models) {
            model.release(member, limits.deliveryCount());
        }
        append(results);
    }

    /** As dead letters do, some runs are split, and the rest comes with an entry of its own. */
    private void append(Results results) {
        Results rest = new Results();
        for (Run run : results.runs()) {
            if (run.count() > 1 && random.nextInt(4) == 0) {
                rest.add(group.splitPending(run, run.first + 1 + random.nextInt((int) run.count() - 1)));
                memory.add(Results.HEAP_BYTES);
            }
        }
        appendWhole(results);
        appendWhole(rest);
    }

    private void appendWhole(Results results) {
        if (!results.isEmpty()) {
            List<RowImage> images = new ArrayList<>();
            for (Run run : results.runs()) {
                RowImage.Part part = new RowImage.Part(run.first, run.last, run.pending, run.deliveries);
                images.add(new RowImage(run.queueId, group.startOffset(run.queueId), List.of(part)));
            }
            entries.add(new Entry(results.runs(), images, ShareEntryLayout.results(group, results.runs())));
        }
    }

    private void apply(ByteBuffer entry) {
        assertThat(entry.get()).isEqualTo(ShareEntryLayout.RESULTS);
        assertThat(EntryText.take(entry)).isEqualTo(group.id());
        for (int left = entry.getInt(); left > 0; left--) {
            ShareEntryLayout.applyRow(entry, group, queueId -> true);
        }
        assertThat(entry.hasRemaining()).isFalse();
    }

    /** The first entry becomes durable, or the log refuses it. */
    private void endEntry() {
        Entry entry = entries.poll();
        if (entry == null) {
            return;
        }
        memory.add(-(long) entry.runs.size() * Results.HEAP_BYTES);
        boolean durable = random.nextInt(8) > 0;
        for (RowImage image : entry.images) {
            for (RowImage.Part part : image.parts()) {
                archived += part.state() == RecordState.ARCHIVED ? 1 : 0;
                models[image.queueId()].end(part, durable, now + 100);
            }
        }
        if (durable) {
            apply(entry.bytes);
        } else {
            group.rollBack(entry.runs, now + 100);
        }
        for (ShareModel model : models) {
            model.settle(group.startOffset(model.queueId));
        }
    }

    private void reset(ShareModel model) {
        while (!entries.isEmpty()) {
            endEntry();
        }
        long offset = Math.max(model.logStart, random.nextInt(OFFSETS));
        group.reset(model.queueId, offset);
        model.reset(offset);
    }

    private void compare(ShareModel model) {
        long start = group.startOffset(model.queueId);
        RowRuns runs = group.runsOf(model.queueId);
        long expected = start;
        for (int i = 0; runs != null && i < runs.size(); i++) {
            Run run = runs.get(i);
            assertThat(run.first).as("runs side by side, seed %d", SEED).isEqualTo(expected);
            expected = run.last + 1;
            for (long offset = Math.max(run.first, model.start); offset <= run.last; offset++) {
                ShareModel.Item item = model.at(offset);
                assertThat(run.state).as("offset %d, seed %d", offset, SEED).isEqualTo(item.state);
                assertThat(run.deliveries)
                        .as("offset %d, seed %d", offset, SEED)
                        .isEqualTo(item.deliveries);
                if (!run.isFinal()) {
                    assertThat(run.together)
                            .as("offset %d, seed %d", offset, SEED)
                            .isEqualTo(item.together);
                }
                assertThat(run.pending).as("offset %d, seed %d", offset, SEED).isEqualTo(item.pending);
                assertThat(run.cause).as("offset %d, seed %d", offset, SEED).isEqualTo(item.cause);
            }
        }
        for (long offset = Math.max(expected, model.start); offset < OFFSETS; offset++) {
            assertThat(model.at(offset).isUntouched())
                    .as("offset %d behind %d, seed %d", offset, expected, SEED)
                    .isTrue();
        }
    }
}
