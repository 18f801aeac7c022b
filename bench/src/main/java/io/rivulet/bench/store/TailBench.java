package io.rivulet.bench.store;

import io.rivulet.store.queue.QueueTable;
import io.rivulet.store.stream.StreamRecord;
import io.rivulet.store.tail.Tail;
import io.rivulet.store.tail.TailAppends;
import io.rivulet.store.tail.TailCursor;
import io.rivulet.store.tail.TailRead;
import io.rivulet.store.tail.TailReleases;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * How many records of 65 bytes one thread puts into the tail each second, over queues chosen at random, and how fast
 * the sweep's copy and the writer's release take them out again. Each run fills most of the tail and empties it.
 *
 * <pre>
 * java -Xmx1g -XX:MaxDirectMemorySize=4g -cp ... io.rivulet.bench.store.TailBench [queues] [tailMiB] [runs]
 * </pre>
 */
public final class TailBench {
    private static final int GROUP = 32 * 1024;
    private static final int SWEEP = 4096;
    private static final int PAYLOAD_BYTES = 58;
    private static final long TIMESTAMP_DELTA = 3_000_000_000L;

    private final PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    private final SplittableRandom random = new SplittableRandom(1);
    private final QueueTable table = new QueueTable();
    private final Tail tail;
    private final int queues;
    private final ByteBuffer group;
    private final int[] recordAt = new int[GROUP + 1];
    private final TailAppends appends = new TailAppends();
    private final boolean oneByOne = Boolean.getBoolean("oneByOne");
    private final int[] ids = new int[GROUP];
    private final long[] ends = new long[GROUP];

    private TailBench(int queues, long tailBytes) {
        this.queues = queues;
        this.tail = new Tail(table, tailBytes);
        this.group = ByteBuffer.allocateDirect(GROUP * 80);
        ByteBuffer payload = ByteBuffer.allocate(PAYLOAD_BYTES);
        for (int i = 0; i < GROUP; i++) {
            recordAt[i + 1] = StreamRecord.putInline(group, recordAt[i], 1, TIMESTAMP_DELTA, payload, 0, PAYLOAD_BYTES);
        }
    }

    public static void main(String[] args) {
        int queues = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
        long tailBytes = (args.length > 1 ? Long.parseLong(args[1]) : 2048) << 20;
        int runs = args.length > 2 ? Integer.parseInt(args[2]) : 5;
        new TailBench(queues, tailBytes).run(runs);
    }

    /** Processor time of this thread: others that use the machine count only as far as they take caches and memory. */
    private static long nanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private void run(int runs) {
        long begin = nanos();
        table.createRange(0, queues, 0);
        out.printf(Locale.ROOT, "created %,d queues in %.0f ms%n", queues, (nanos() - begin) / 1e6);
        for (int run = 0; run < runs; run++) {
            fill();
            empty();
        }
    }

    private void fill() {
        long records = 0;
        long assignNanos = 0;
        long appendNanos = 0;
        int reservation = GROUP * Tail.chunksFor(recordAt[1]);
        while (tail.reserve(reservation)) {
            choose();
            long begin = nanos();
            assign();
            long middle = nanos();
            append();
            assignNanos += middle - begin;
            appendNanos += nanos() - middle;
            tail.unreserve(reservation);
            records += GROUP;
        }
        out.printf(
                Locale.ROOT,
                "%,d queues: %,d records of %d bytes: assign %.1f ns, append+publish %.1f ns, together %.2f M/s;"
                        + " %d bytes of chunks for each record%n",
                queues,
                records,
                recordAt[1],
                (double) assignNanos / records,
                (double) appendNanos / records,
                records * 1e3 / (assignNanos + appendNanos),
                (long) tail.usedChunks() * 256 / records);
    }

    private void choose() {
        for (int i = 0; i < GROUP; i++) {
            ids[i] = random.nextInt(queues);
        }
    }

    private void assign() {
        for (int i = 0; i < GROUP; i++) {
            ends[i] = table.assign(ids[i], 1) + 1;
        }
    }

    private void append() {
        if (oneByOne) {
            for (int i = 0; i < GROUP; i++) {
                tail.append(ids[i], group, recordAt[i], recordAt[i + 1] - recordAt[i]);
                tail.publish(ids[i], ends[i]);
            }
            return;
        }
        appends.reset(group);
        for (int i = 0; i < GROUP; i++) {
            appends.add(ids[i], recordAt[i], recordAt[i + 1] - recordAt[i], ends[i]);
        }
        tail.appendAll(appends);
    }

    private void empty() {
        TailCursor cursor = new TailCursor();
        ByteBuffer file = ByteBuffer.allocateDirect(1 << 20);
        TailReleases swept = new TailReleases();
        long copyNanos = 0;
        long releaseNanos = 0;
        long records = 0;
        int id = table.dirty().nextSet(0);
        while (id >= 0) {
            long begin = nanos();
            swept.clear();
            for (; id >= 0 && swept.count() < SWEEP; id = table.dirty().nextSet(id + 1)) {
                long from = table.tailStart(id);
                cursor.reset();
                while (tail.copyChain(id, file.clear(), cursor, swept) == TailRead.OK) {
                    records += cursor.batches();
                }
                swept.add(id, from, cursor);
            }
            long middle = nanos();
            copyNanos += middle - begin;
            if (tail.releaseAll(swept, 0, swept.count()) != swept.count()) {
                throw new IllegalStateException("a queue was not released");
            }
            releaseNanos += nanos() - middle;
        }
        out.printf(
                Locale.ROOT,
                "  swept %,d records: copy %.1f ns, release %.1f ns for each%n",
                records,
                (double) copyNanos / records,
                (double) releaseNanos / records);
    }
}
