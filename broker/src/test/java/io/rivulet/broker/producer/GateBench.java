package io.rivulet.broker.producer;

import io.rivulet.protocol.record.RecordBatchLayout;
import io.rivulet.store.AppendRequest;
import io.rivulet.store.AppendRequest.Wait;
import io.rivulet.store.Durability;
import io.rivulet.store.Outcome;
import io.rivulet.store.Store;
import io.rivulet.store.open.Attachments;
import io.rivulet.store.open.LocalStore;
import io.rivulet.store.open.StoreConfig;
import io.rivulet.store.open.StoreEnvironment;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.stream.Stream;

/**
 * The cost of the gate for the log writer, in processor time of that thread for each batch: without a gate, with
 * batches without a sequence, and with batches with a sequence. Rounds alternate. Each queue gets one record at a time.
 *
 * <pre>
 * java -Xmx1g -XX:MaxDirectMemorySize=2g -cp ... io.rivulet.broker.producer.GateBench [queues] [batches] [rounds]
 * </pre>
 */
final class GateBench {
    private static final int BATCH_BYTES = 131;
    private static final int BATCHES_PER_REQUEST = 500;
    private static final int REQUESTS_IN_FLIGHT = 16;
    private static final int WARM_UP_ROUNDS = 1;

    private enum Mode {
        NO_GATE,
        NO_SEQUENCES,
        SEQUENCES
    }

    private record Parcel(ByteBuffer buffer, AppendRequest request) {}

    private final PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final int queues;
    private final int batches;

    private GateBench(int queues, int batches) {
        this.queues = queues;
        this.batches = batches;
    }

    public static void main(String[] args) throws Exception {
        int queues = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
        int batches = args.length > 1 ? Integer.parseInt(args[1]) : 3_000_000;
        int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 5;
        new GateBench(queues, batches).run(rounds);
    }

    private void run(int rounds) throws Exception {
        Map<Mode, Double> sums = new EnumMap<>(Mode.class);
        for (int round = -WARM_UP_ROUNDS; round < rounds; round++) {
            StringBuilder line = new StringBuilder();
            for (Mode mode : Mode.values()) {
                double nanos = round(mode);
                sums.merge(mode, round < 0 ? 0 : nanos, Double::sum);
                line.append(String.format(" %s %.0f", mode, nanos));
            }
            out.printf("%s%s ns a batch%n", round < 0 ? "warm-up" : "round", line);
        }
        double none = sums.getOrDefault(Mode.NO_GATE, 0.0);
        double unsequenced = sums.getOrDefault(Mode.NO_SEQUENCES, 0.0);
        double sequenced = sums.getOrDefault(Mode.SEQUENCES, 0.0);
        out.printf(
                "%,d queues: without sequences %.3f, with sequences %.3f of no gate; %.0f, %.0f, %.0f ns%n",
                queues, unsequenced / none, sequenced / none, none / rounds, unsequenced / rounds, sequenced / rounds);
    }

    /** Nanoseconds of the log writer for each batch. */
    private double round(Mode mode) throws Exception {
        Path directory = Files.createTempDirectory("gate-bench");
        StoreConfig config = StoreConfig.DEFAULT.withDurability(Durability.OS).withMemory(1L << 30, 16 << 20);
        Attachments attachments = mode == Mode.NO_GATE
                ? Attachments.NONE
                : Attachments.NONE.withGate(new SequenceGate(
                        SequenceGate.IN_FLIGHT, Long.MAX_VALUE, Long.MAX_VALUE, TestGates.NO_TRANSACTIONS, () -> 0));
        try (Store store = LocalStore.open(config, StoreEnvironment.local(directory), attachments)) {
            int first = store.createQueues(queues, 0).toCompletableFuture().get();
            long before = logWriterNanos();
            put(store, first, mode == Mode.SEQUENCES);
            return (double) (logWriterNanos() - before) / batches;
        } finally {
            delete(directory);
        }
    }

    private void put(Store store, int first, boolean sequences) throws InterruptedException {
        ArrayBlockingQueue<Parcel> free = new ArrayBlockingQueue<>(REQUESTS_IN_FLIGHT);
        Parcel[] parcels = new Parcel[REQUESTS_IN_FLIGHT];
        for (int i = 0; i < REQUESTS_IN_FLIGHT; i++) {
            int number = i;
            ByteBuffer buffer = ByteBuffer.allocateDirect(BATCHES_PER_REQUEST * BATCH_BYTES);
            AppendRequest request = new AppendRequest(buffer, Wait.DURABLE, done -> free.add(parcels[number]));
            parcels[i] = new Parcel(buffer, request);
            free.add(parcels[i]);
        }
        for (int put = 0; put < batches; ) {
            Parcel parcel = free.take();
            requireStored(parcel.request);
            parcel.request.reset(parcel.buffer);
            for (int i = 0; i < BATCHES_PER_REQUEST; i++, put++) {
                int at = i * BATCH_BYTES;
                int sequence = sequences ? put / queues : -1;
                parcel.buffer
                        .putLong(at + RecordBatchLayout.PRODUCER_ID, sequences ? 7 : -1)
                        .putInt(at + RecordBatchLayout.BASE_SEQUENCE, sequence)
                        .putInt(at + RecordBatchLayout.RECORD_COUNT, 1);
                parcel.request.add(first + put % queues, at, BATCH_BYTES, 1, 0);
            }
            if (!store.append(parcel.request)) {
                throw new IllegalStateException("the store has no room, although little is in progress");
            }
        }
        for (int i = 0; i < REQUESTS_IN_FLIGHT; i++) {
            requireStored(free.take().request);
        }
    }

    private static void requireStored(AppendRequest request) {
        for (int i = 0; i < request.count(); i++) {
            if (request.outcome(i) != Outcome.DURABLE) {
                throw new IllegalStateException("a batch ended as " + request.outcome(i));
            }
        }
    }

    private long logWriterNanos() {
        for (long id : threads.getAllThreadIds()) {
            var info = threads.getThreadInfo(id);
            if (info != null && info.getThreadName().contains("log-writer")) {
                return threads.getThreadCpuTime(id);
            }
        }
        throw new IllegalStateException("there is no log writer");
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            List<Path> paths = all.sorted(Comparator.reverseOrder()).toList();
            for (Path path : paths) {
                Files.delete(path);
            }
        }
    }
}
