package io.rivulet.store.tail;

import io.rivulet.store.memory.Slabs;
import io.rivulet.store.queue.QueueRow;
import io.rivulet.store.queue.QueueTable;
import io.rivulet.store.stream.StreamCursor;
import io.rivulet.store.stream.StreamRecord;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A writer, a sweeper and readers of a small tail, all on one thread, with all choices from one seed. At some points
 * within a step, the tail calls the simulation, which runs steps of the other side. Results are compared with a model
 * that keeps every batch.
 */
final class TailSimulation {
    private static final int SLAB_BYTES = 8 * 1024;
    private static final int SLABS = 4;
    private static final int READERS = 3;

    /** Creates the tail under test, which may have a bug. */
    interface TailFactory {
        Tail create(QueueTable table, Slabs slabs, TailSimulation simulation);
    }

    private static final class ModelQueue {
        /** Encoded batches by base offset, including released ones. */
        final TreeMap<Long, byte[]> batches = new TreeMap<>();

        boolean exists = true;
        long tailStart;
        long endOffset;
        long appendedOffset;
    }

    private record Copied(int queueId, long to, TailReleases releases) {}

    final SplittableRandom random;
    final QueueTable table = new QueueTable();
    final Tail tail;
    private final List<ModelQueue> queues = new ArrayList<>();
    private final List<Copied> copied = new ArrayList<>();
    private final TailCursor[] cursors = new TailCursor[READERS];
    private final long[] nextOffsets = new long[READERS];
    private final TailCursor sweepCursor = new TailCursor();
    private final StreamCursor records = new StreamCursor();
    private final TailAppends appends = new TailAppends();
    private final ByteBuffer group = ByteBuffer.allocateDirect(64 * 1024);
    private boolean inReader;
    private boolean inWriter;
    private boolean inSweep;
    private int writerSteps;
    int reads;
    int disturbed;

    TailSimulation(long seed, TailFactory factory) {
        random = new SplittableRandom(seed);
        tail = factory.create(table, new Slabs("tail", SLABS * SLAB_BYTES, SLAB_BYTES), this);
        for (int i = 0; i < READERS; i++) {
            cursors[i] = new TailCursor();
        }
    }

    void run(int steps) {
        for (int i = 0; i < steps; i++) {
            if (random.nextInt(5) < 3) {
                writerStep();
            } else {
                readerStep();
            }
            if (i % 16 == 0) {
                TailChecker.check(tail, table);
            }
        }
        for (int id = 0; id < queues.size(); id++) {
            tail.drop(id);
        }
        TailChecker.check(tail, table);
        require(tail.usedChunks() == 0, "chunks are left after all queues are gone");
    }

    /** Called in the middle of a step of the tail. */
    void interleave() {
        if (inReader && !inWriter && random.nextInt(3) == 0) {
            for (int i = random.nextInt(1, 16); i > 0; i--) {
                writerStep();
            }
        } else if (inWriter && !inReader && random.nextBoolean()) {
            readerStep();
        }
    }

    // ---- writer and sweeper ----

    private void writerStep() {
        inWriter = true;
        writerSteps++;
        switch (random.nextInt(20)) {
            case 0 -> create();
            case 1 -> dropOne();
            case 2, 3, 4 -> publish();
            case 5, 6, 7 -> copyOne();
            case 8, 9, 10, 11 -> releaseOne();
            case 12 -> appendGroup();
            case 13 -> releaseSeveral();
            default -> append();
        }
        inWriter = false;
    }

    private void create() {
        if (queues.size() < 6 || random.nextInt(10) == 0) {
            table.createRange(queues.size(), 1, 0);
            queues.add(new ModelQueue());
        }
    }

    private void dropOne() {
        if (random.nextInt(4) == 0 && !queues.isEmpty()) {
            int id = anyQueue();
            tail.drop(id);
            queues.get(id).exists = false;
        }
    }

    private void append() {
        int id = anyQueue();
        if (id < 0 || !queues.get(id).exists) {
            return;
        }
        int bytes = putBatch(id, 0);
        int chunks = Tail.chunksFor(bytes);
        boolean room = tail.reserve(chunks);
        require(room == tail.usedChunks() + chunks <= tail.capacityChunks(), "a reservation is wrongly " + room);
        if (room) {
            tail.append(id, group, 0, bytes);
            tail.unreserve(chunks);
            remember(id, 0, bytes);
        }
    }

    private void appendGroup() {
        appends.reset(group);
        int at = 0;
        int reserved = 0;
        for (int i = random.nextInt(1, 100); i > 0; i--) {
            int id = anyQueue();
            if (id < 0 || !queues.get(id).exists || queues.get(id).endOffset != queues.get(id).appendedOffset) {
                continue;
            }
            int bytes = putBatch(id, at) - at;
            if (!tail.reserve(Tail.chunksFor(bytes))) {
                break;
            }
            reserved += Tail.chunksFor(bytes);
            remember(id, at, bytes);
            queues.get(id).endOffset = queues.get(id).appendedOffset;
            appends.add(id, at, bytes, queues.get(id).appendedOffset);
            at += bytes;
        }
        tail.appendAll(appends);
        tail.unreserve(reserved);
    }

    private int putBatch(int id, int at) {
        int count = random.nextInt(4) == 0 ? random.nextInt(1, 300) : 1;
        int payload = Batches.MIN_PAYLOAD_BYTES + (random.nextInt(10) == 0 ? random.nextInt(600) : random.nextInt(60));
        return Batches.put(
                group, at, id, table.nextOffset(id), count, random.nextInt(3) == 0 ? toChunkEnd(id, count) : payload);
    }

    /** A number of bytes that makes the record end with its chunk: boundaries are the first to go wrong. */
    private int toChunkEnd(int id, int count) {
        long last = QueueRow.getPlain(Objects.requireNonNull(table.rows(id)), QueueTable.row(id) + QueueRow.LAST);
        int left = ChunkPool.CHUNK_BYTES - Math.max(ChunkPool.LINK_BYTES, QueueRow.writeAt(last));
        int header = StreamRecord.headerBytes(200, count, table.nextOffset(id));
        int payload = left - header + (left - header < 128 ? 1 : 0);
        return payload < Batches.MIN_PAYLOAD_BYTES ? payload + ChunkPool.STREAM_BYTES - 1 : payload;
    }

    private void remember(int id, int at, int bytes) {
        byte[] batch = new byte[bytes];
        group.get(at, batch);
        records.reset(group, at, at + bytes, 0).next();
        ModelQueue queue = queues.get(id);
        queue.batches.put(table.assign(id, records.recordCount()), batch);
        queue.appendedOffset = table.nextOffset(id);
    }

    private void publish() {
        int id = anyQueue();
        if (id >= 0 && queues.get(id).exists) {
            ModelQueue queue = queues.get(id);
            queue.endOffset = queue.appendedOffset;
            tail.publish(id, queue.endOffset);
        }
    }

    /**
     * Like the sweep: copies a chain in several parts, in one file or in several, some of which are released meanwhile.
     */
    private void copyOne() {
        int id = table.dirty().nextSet(random.nextInt(queues.size() + 1));
        if (inSweep || id < 0 || copied.stream().anyMatch(copy -> copy.queueId == id)) {
            return;
        }
        inSweep = true;
        ModelQueue queue = queues.get(id);
        TailReleases file = new TailReleases();
        long fileFrom = queue.tailStart;
        long next = fileFrom;
        sweepCursor.reset();
        for (int copies = random.nextInt(1, 6); copies > 0 && copyMore(id, next, file); copies--) {
            next = sweepCursor.endOffset();
            if (random.nextInt(3) == 0) {
                file.add(id, fileFrom, sweepCursor);
                copied.add(new Copied(id, next, file));
                file = new TailReleases();
                fileFrom = next;
                if (inWriter && random.nextInt(3) == 0) {
                    releaseOne();
                }
            }
        }
        if (next > fileFrom && queue.exists) {
            file.add(id, fileFrom, sweepCursor);
            copied.add(new Copied(id, next, file));
        }
        inSweep = false;
    }

    private boolean copyMore(int id, long next, TailReleases file) {
        ModelQueue queue = queues.get(id);
        ByteBuffer copy = ByteBuffer.allocate(random.nextBoolean() ? random.nextInt(20, 400) : 32 * 1024);
        long endBefore = queue.endOffset;
        TailRead result = tail.copyChain(id, copy, Long.MAX_VALUE, sweepCursor, file);
        switch (result) {
            case OK -> {
                require(sweepCursor.startOffset() == next, "the sweep does not go on where it was");
                require(sweepCursor.endOffset() <= queue.endOffset, "the sweep copies what is not published");
                requireCopy(id, sweepCursor, copy, 0);
            }
            case NOTHING -> require(endBefore == next || !queue.exists, "the sweep wrongly finds nothing");
            case NO_QUEUE -> require(!queue.exists, "a queue is wrongly absent");
            default -> require(result == TailRead.TOO_SMALL && copy.capacity() < 400, "the sweep answers " + result);
        }
        return result == TailRead.OK;
    }

    private void releaseOne() {
        if (copied.isEmpty()) {
            return;
        }
        int id = copied.get(random.nextInt(copied.size())).queueId;
        release(copied.stream().filter(copy -> copy.queueId == id).findFirst().orElseThrow());
    }

    private void releaseSeveral() {
        List.copyOf(copied).forEach(this::release);
    }

    private void release(Copied copy) {
        copied.remove(copy);
        ModelQueue queue = queues.get(copy.queueId);
        int released = tail.releaseAll(copy.releases, 0, copy.releases.count());
        require(released == (queue.exists ? 1 : 0), "a release is wrongly " + released);
        if (queue.exists) {
            queue.tailStart = copy.to;
        }
    }

    private int anyQueue() {
        return queues.isEmpty() ? -1 : random.nextInt(queues.size());
    }

    // ---- readers ----

    private void readerStep() {
        int id = anyQueue();
        if (id < 0) {
            return;
        }
        if (!inWriter && random.nextInt(4) == 0) {
            inReader = true;
            copyOne();
            inReader = false;
            return;
        }
        inReader = true;
        reads++;
        int reader = random.nextInt(READERS);
        ModelQueue queue = queues.get(id);
        long end = queue.endOffset;
        boolean follow = cursors[reader].queueId == id && random.nextInt(4) > 0;
        long from = follow ? nextOffsets[reader] : random.nextLong(Math.max(0, queue.tailStart - 3), end + 2);
        int maxBytes = random.nextInt(1, random.nextBoolean() ? 200 : 4000);
        ByteBuffer dst = ByteBuffer.allocate(random.nextInt(4) == 0 ? random.nextInt(1, 300) : 4000);
        int at = random.nextInt(dst.capacity());
        dst.position(at);
        int stepsBefore = writerSteps;
        TailRead result = inWriter
                ? tail.tryRead(id, from, maxBytes, dst, cursors[reader])
                : tail.read(id, from, maxBytes, dst, cursors[reader]);
        inReader = false;
        judge(id, from, end, result, cursors[reader], dst, at);
        if (!inWriter && writerSteps == stepsBefore) {
            judgeExactly(id, from, maxBytes, result, cursors[reader], dst, at);
        }
        nextOffsets[reader] = result == TailRead.OK ? cursors[reader].endOffset() : from;
    }

    private void judge(int id, long from, long endBefore, TailRead result, TailCursor cursor, ByteBuffer dst, int at) {
        ModelQueue queue = queues.get(id);
        switch (result) {
            case OK -> {
                require(cursor.startOffset() <= from && from < cursor.endOffset(), "another offset than asked for");
                require(cursor.endOffset() <= queue.endOffset, "unpublished offsets were read");
                requireCopy(id, cursor, dst, at);
            }
            case BELOW_TAIL -> require(!queue.exists || from < table.tailStart(id), "wrongly below the tail");
            case NOTHING -> require(from >= endBefore, "wrongly nothing");
            case TOO_SMALL -> require(dst.position() == at, "the position moved");
            case NO_QUEUE -> require(!queue.exists || inWriter, "a queue is wrongly absent");
            default -> {
                require(result == TailRead.DISTURBED && inWriter, "disturbed by nobody");
                disturbed++;
            }
        }
    }

    /** Without interference the right result is known exactly. */
    private void judgeExactly(
            int id, long from, int maxBytes, TailRead result, TailCursor cursor, ByteBuffer dst, int at) {
        ModelQueue queue = queues.get(id);
        if (!queue.exists) {
            require(result == TailRead.NO_QUEUE, "a dropped queue answers " + result);
        } else if (from < queue.tailStart) {
            require(result == TailRead.BELOW_TAIL, "below the tail: " + result);
        } else if (from >= queue.endOffset) {
            require(result == TailRead.NOTHING, "at the end: " + result);
        } else {
            long base = queue.batches.floorKey(from);
            int room = dst.capacity() - at;
            int bytes = 0;
            for (byte[] batch : queue.batches.subMap(base, queue.endOffset).values()) {
                if (bytes + batch.length > (bytes == 0 ? room : Math.min(room, maxBytes))) {
                    break;
                }
                bytes += batch.length;
            }
            require(result == (bytes == 0 ? TailRead.TOO_SMALL : TailRead.OK), "in the tail: " + result);
            require(dst.position() == at + bytes, "read " + (dst.position() - at) + " bytes, not " + bytes);
            require(
                    bytes > 0
                            || cursor.bytes() == queue.batches.floorEntry(from).getValue().length,
                    "tells a wrong size");
        }
    }

    private void requireCopy(int id, TailCursor cursor, ByteBuffer dst, int at) {
        require(dst.position() == at + cursor.bytes(), "the position does not tell how much was copied");
        Batches.requireSound(dst, at, dst.position(), id, cursor.startOffset(), cursor.endOffset(), records);
        int position = at;
        for (byte[] batch : queues.get(id)
                .batches
                .subMap(cursor.startOffset(), cursor.endOffset())
                .values()) {
            require(ByteBuffer.wrap(batch).equals(dst.slice(position, batch.length)), "a batch changed its bytes");
            position += batch.length;
        }
        require(position == dst.position(), "not the batches of the offsets");
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new AssertionError(message);
        }
    }

    /** For broken tails: writes what the tail writes, in the order that the test needs. */
    static void setWord(long[] rows, int index, long value) {
        QueueRow.setOpaque(rows, index, value);
    }
}
