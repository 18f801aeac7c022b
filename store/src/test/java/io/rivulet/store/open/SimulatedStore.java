package io.rivulet.store.open;

import io.rivulet.store.Durability;
import io.rivulet.store.StoreMetric;
import io.rivulet.store.StoreReader;
import io.rivulet.store.block.merge.MergePolicy;
import io.rivulet.store.block.read.QueueView;
import io.rivulet.store.block.write.BlockFileLimits;
import io.rivulet.store.io.Disk;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.LogLocation;
import io.rivulet.store.log.local.LocalLogConfig;
import io.rivulet.store.maintenance.BlockRegistry;
import io.rivulet.store.maintenance.CompactionConfig;
import io.rivulet.store.maintenance.MergeConfig;
import io.rivulet.store.retention.Retention;
import io.rivulet.store.simulation.FoldingView;
import io.rivulet.store.simulation.Model;
import io.rivulet.store.simulation.SimulatedGate;
import io.rivulet.store.simulation.SimulatedWorkers;
import io.rivulet.store.simulation.TappedDisk;
import io.rivulet.store.sweep.ChainReleaser;
import io.rivulet.store.sweep.SweepTarget;
import io.rivulet.store.writer.LogWriter;
import io.rivulet.store.writer.TrimRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A small store in a simulated world, with two views and a gate. Its parts may have bugs. */
public final class SimulatedStore implements AutoCloseable {
    /**
     * Segments, groups, tail and block files are small enough that all of them fill up and roll within a few hundred
     * steps.
     */
    static final StoreConfig CONFIG = new StoreConfig(
            LocalLogConfig.DEFAULT
                    .withGroups(3, 48 << 10)
                    .withSegmentBytes(64 << 10)
                    .withSpareSegments(1),
            256 << 10,
            1 << 20,
            new StoreConfig.Waiting(16, 96 << 10),
            128 << 10,
            new MergeConfig(
                    new MergePolicy(2, 3, 4, 32 << 10), new BlockFileLimits(4 << 10, 24 << 10, 1000), 8 << 10, 0),
            CompactionConfig.DEFAULT,
            StoreConfig.DEFAULT.setAsideMillis());

    static final StoreSizes SIZES = new StoreSizes(new BlockFileLimits(2 << 10, 24 << 10, 1000), 36 << 10, 16 << 10);

    final LocalStore store;
    final StoreReader reader;
    final SimulatedWorkers workers;
    private final TamperedAssembly assembly;
    private final StoreParts parts;
    final Tampering tampering;
    private final List<FoldingView> views;
    private final SimulatedGate gate;
    private final AtomicLong clock;

    private SimulatedStore(
            TamperedAssembly assembly,
            LocalStore store,
            SimulatedWorkers workers,
            Tampering tampering,
            List<FoldingView> views,
            SimulatedGate gate,
            AtomicLong clock) {
        this.assembly = assembly;
        this.parts = Objects.requireNonNull(assembly.opened);
        this.clock = clock;
        this.store = store;
        this.reader = store.reader();
        this.workers = workers;
        this.tampering = tampering;
        this.views = views;
        this.gate = gate;
    }

    /** Where the log of a store on this disk is. */
    @FunctionalInterface
    public interface LogElsewhere {
        LogLocation of(Disk disk) throws IOException;
    }

    /** With its log on the disk. */
    static SimulatedStore open(Disk disk, StoreConfig config, SimulatedWorkers workers, Tampering tampering)
            throws IOException {
        return open(disk, null, config, workers, tampering);
    }

    /** @param log null if it is on the disk */
    public static SimulatedStore open(
            Disk disk, @Nullable LogElsewhere log, StoreConfig config, SimulatedWorkers workers, Tampering tampering)
            throws IOException {
        List<FoldingView> views = List.of(new FoldingView(1), new FoldingView(2));
        AtomicLong clock = new AtomicLong(1_000_000);
        Disk tapped = new TappedDisk(tampering.disk(disk), workers::duringIo);
        StoreEnvironment local =
                new StoreEnvironment(tapped, workers, () -> clock.incrementAndGet() + tampering.clockErrorMillis());
        StoreEnvironment environment = log == null ? local : local.withLog(log.of(tapped));
        SimulatedGate gate = new SimulatedGate();
        Attachments attachments = Attachments.of(
                        views.stream().map(tampering::view).toList())
                .withGate(tampering.gate(gate))
                .withListener(tampering.listener());
        TamperedAssembly assembly = new TamperedAssembly(config, environment, attachments, tampering);
        LocalStore store = LocalStore.open(assembly);
        return new SimulatedStore(assembly, store, workers, tampering, views, gate, clock);
    }

    /** Some groups are small enough that the log writer forces them, and some are not. */
    public static StoreConfig config(Durability durability, long maxReplayBytes) {
        return CONFIG.withLog(CONFIG.localLog().withDurability(durability).withInPlace(4 << 10))
                .withMaxReplayBytes(maxReplayBytes);
    }

    /** Receives the trims that the store makes because of limits. */
    interface RetentionListener {
        RetentionListener NONE = new RetentionListener() {};

        /** It is in the log's queue, after everything that was offered before. */
        default void offered(int queueId, long startOffset) {}

        /** The whole request has a result. */
        default void answered(boolean failed) {}
    }

    void listenToRetention(RetentionListener listener) {
        assembly.retentionListener = listener;
    }

    /** The failure of the store, or of its log. */
    public @Nullable Throwable failure() {
        return store.failure();
    }

    public long metric(StoreMetric metric) {
        return store.metric(metric);
    }

    long nowMillis() {
        return clock.get();
    }

    /** Lets this time pass, in one tick. */
    void pass(long millis) {
        clock.addAndGet(millis);
        store.tick();
    }

    /** In the format of {@link Model#summary}. */
    public String summary() {
        TreeMap<Integer, String> queues = new TreeMap<>();
        for (int id = 0; id < store.table().idLimit(); id++) {
            if (store.exists(id)) {
                queues.put(id, "[" + store.startOffset(id) + ", " + store.endOffset(id) + ")");
            }
        }
        TreeMap<Integer, String> states = new TreeMap<>();
        for (FoldingView view : views) {
            if (!view.state().equals(FoldingView.EMPTY)) {
                states.put(view.id(), view.state());
            }
        }
        return "ids " + store.table().idLimit() + " queues " + queues + " views " + states + " gate " + gate.state();
    }

    /** Includes state that only the store knows, for comparison after another replay. */
    String fullSummary() {
        return summary() + " timestamps "
                + views.stream().map(FoldingView::timestampHash).toList();
    }

    boolean tailWantsMemory() {
        return parts.tail().wantsMemory();
    }

    int usedChunks() {
        return parts.tail().usedChunks();
    }

    /** Whether every chunk of the tail is free and none is reserved. */
    boolean tailIsFree() {
        int all = parts.tail().capacityChunks();
        boolean free = parts.tail().reserve(all);
        if (free) {
            parts.tail().unreserve(all);
        }
        return free;
    }

    int pagesHeld() {
        return parts.cache().pagesHeld();
    }

    long openLeases() {
        return parts.cache().openLeases();
    }

    @Override
    public void close() throws IOException {
        store.close();
    }

    private static final class TamperedAssembly extends StoreAssembly {
        private final Tampering tampering;
        private @Nullable StoreParts opened;
        private RetentionListener retentionListener = RetentionListener.NONE;

        TamperedAssembly(
                StoreConfig config, StoreEnvironment environment, Attachments attachments, Tampering tampering) {
            super(config, environment, attachments, SIZES);
            this.tampering = tampering;
        }

        @Override
        StoreParts open() throws IOException {
            StoreParts parts = super.open();
            opened = parts;
            return parts;
        }

        @Override
        ByteBuffer allocateForTail(int slabBytes) {
            return tampering.allocateForTail(slabBytes);
        }

        @Override
        CommitLog openLog(LogLocation location, Runnable wakeUp) throws IOException {
            return tampering.log(super.openLog(location, wakeUp));
        }

        @Override
        SweepTarget sweepTarget(BlockRegistry registry) {
            return tampering.target(super.sweepTarget(registry));
        }

        @Override
        QueueView mergedQueues(QueueView queues) {
            return tampering.mergedQueues(queues);
        }

        @Override
        Retention.Surroundings retentionSurroundings(LogWriter logWriter) {
            Retention.Surroundings real = super.retentionSurroundings(logWriter);
            return new Retention.Surroundings() {
                private @Nullable TrimRequest onItsWay;

                @Override
                public boolean offer(TrimRequest request) {
                    boolean taken = real.offer(request);
                    if (taken) {
                        onItsWay = request;
                        for (int i = 0; i < request.count(); i++) {
                            retentionListener.offered(request.queueId(i), request.startOffset(i));
                        }
                    }
                    return taken;
                }

                @Override
                public void signal() {
                    retentionListener.answered(Objects.requireNonNull(onItsWay).isFailed());
                    real.signal();
                }
            };
        }

        @Override
        ChainReleaser chainReleaser(LogWriter writer) {
            return tampering.releaser(writer);
        }
    }
}
