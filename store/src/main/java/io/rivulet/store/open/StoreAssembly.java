package io.rivulet.store.open;

import io.rivulet.store.BatchFormat;
import io.rivulet.store.BatchGate;
import io.rivulet.store.Durability;
import io.rivulet.store.View;
import io.rivulet.store.block.read.QueueView;
import io.rivulet.store.cache.CacheLimits;
import io.rivulet.store.cache.PageCache;
import io.rivulet.store.checkpoint.Checkpointer;
import io.rivulet.store.checkpoint.Manifest;
import io.rivulet.store.checkpoint.ManifestStore;
import io.rivulet.store.entry.EntryLayout;
import io.rivulet.store.huge.HugeBatches;
import io.rivulet.store.huge.HugeFiles;
import io.rivulet.store.huge.HugeWriter;
import io.rivulet.store.io.DirectoryLock;
import io.rivulet.store.io.Disk;
import io.rivulet.store.io.SetAside;
import io.rivulet.store.io.ShortageException;
import io.rivulet.store.io.StartRefusedException;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.LogLocation;
import io.rivulet.store.log.LogService;
import io.rivulet.store.maintenance.BlockRegistry;
import io.rivulet.store.maintenance.CompactionTask;
import io.rivulet.store.maintenance.Maintenance;
import io.rivulet.store.maintenance.MaintenanceConfig;
import io.rivulet.store.maintenance.MaintenanceParts;
import io.rivulet.store.maintenance.MergeTask;
import io.rivulet.store.maintenance.ObsoleteFiles;
import io.rivulet.store.maintenance.ReplayResult;
import io.rivulet.store.maintenance.UnknownFiles;
import io.rivulet.store.memory.PagePool;
import io.rivulet.store.queue.QueueTable;
import io.rivulet.store.retention.Retention;
import io.rivulet.store.retention.RetentionTable;
import io.rivulet.store.sweep.ChainReleaser;
import io.rivulet.store.sweep.SweepTarget;
import io.rivulet.store.sweep.Sweeper;
import io.rivulet.store.tail.Tail;
import io.rivulet.store.thread.Workers.Worker;
import io.rivulet.store.view.Applier;
import io.rivulet.store.writer.LogWriter;
import io.rivulet.store.writer.LogWriterConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts a store together: opens the log, the manifest, block files and snapshots, replays the log, and starts the
 * threads. Nothing is written before everything is checked, so a start that fails leaves the disk as it is. One
 * exception: a replay that does not fit into the tail sweeps it.
 *
 * <p>Owned by: the thread that opens the store. Tests override the seams to make a part misbehave.
 */
class StoreAssembly {
    private static final Logger LOG = LoggerFactory.getLogger(StoreAssembly.class);

    private static final String BLOCKS_FOLDER = "blocks";

    private static final int CACHE_PAGE_BYTES = 8 << 10;
    private static final int CACHE_SLAB_BYTES = 1 << 20;
    /** Timestamps in a shared log mean the same in each directory. 1 January 2026. */
    private static final long SHARED_TIMESTAMP_BASE = 1_767_225_600_000L;
    /** A replay takes about 50 ns to create and delete one. */
    private static final long MAX_REPLAYED_QUEUES = 8_000_000;

    private final StoreConfig config;
    private final StoreEnvironment environment;
    private final Attachments attachments;
    private final List<View> views;
    private final StoreSizes sizes;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    private final QueueTable table = new QueueTable();
    private final RetentionTable retentionTable = new RetentionTable();
    private final Tail tail;
    private final PageCache cache;
    private final StoreSignals signals;

    StoreAssembly(StoreConfig config, StoreEnvironment environment, Attachments attachments, StoreSizes sizes) {
        this.config = config;
        this.environment = environment;
        this.attachments = attachments;
        this.views = attachments.allViews();
        views.add(retentionTable);
        this.sizes = sizes;
        this.signals = new StoreSignals(environment.failures());
        environment.failures().onFailure(signals::signalAll);
        this.tail = new Tail(table, config.tailBytes(), this::allocateForTail);
        PagePool pool = new PagePool("cache", config.cacheBytes(), CACHE_PAGE_BYTES, CACHE_SLAB_BYTES);
        this.cache = new PageCache(pool, CacheLimits.ofPages(pool.capacityPages()), environment.failures()::isSet);
    }

    // ---- seams ----

    ByteBuffer allocateForTail(int slabBytes) {
        return ByteBuffer.allocateDirect(slabBytes);
    }

    CommitLog openLog(LogLocation location, Runnable wakeUp) throws IOException {
        return location.open(config.log(), wakeUp, environment.workers(), environment.failures());
    }

    SweepTarget sweepTarget(BlockRegistry registry) {
        return registry;
    }

    ChainReleaser chainReleaser(LogWriter logWriter) {
        return logWriter::execute;
    }

    Retention.Surroundings retentionSurroundings(LogWriter logWriter) {
        return new RetentionSurroundings(logWriter, signals);
    }

    /** How the merge sees queues. */
    QueueView mergedQueues(QueueView queues) {
        return queues;
    }

    // ---- opening ----

    StoreParts open() throws IOException {
        try {
            return openAll();
        } catch (UncheckedIOException e) {
            closeOpened(e);
            throw new IOException(e.getMessage(), e);
        } catch (IOException | RuntimeException | Error e) {
            closeOpened(e);
            throw e;
        }
    }

    private StoreParts openAll() throws IOException {
        LogLocation location = opened(environment.log(config.localLog()));
        DirectoryLock lock = opened(environment.disk().lock());
        boolean isUsed = environment.otherLog() == null || environment.disk().exists(LogService.FOLDER);
        if (!location.exists()) {
            refuseBlocksWithoutLog();
        } else if (isUsed) {
            lock.awaitFormerOwner();
        }
        CommitLog log = opened(openLog(location, signals::signalWriter));
        if (!log.keepsBatches()) {
            tail.referFrom(sizes.unkeptReferenceFromBytes(config.tailBytes()));
        }
        long nowMillis = environment.clock().stampMillis();
        ManifestStore manifest = ManifestStore.open(log, log.isShared() ? SHARED_TIMESTAMP_BASE : nowMillis, nowMillis);
        Disk blocks = blocks(manifest.current());
        UnknownFiles unknownFiles = new UnknownFiles(blocks, manifest.current());
        manifest.skipFileNumber(unknownFiles.greatestNumber());
        BlockRegistry registry = opened(registry(blocks, log, manifest));
        HugeFiles hugeFiles =
                new HugeFiles(environment.disk(), log.storeId(), config.log().durability() != Durability.NONE);
        HugeBatches huge = new HugeBatches(hugeFiles);
        views.add(huge);
        Checkpointer checkpointer = new Checkpointer(log, table, manifest, environment.clock());
        BatchGate gate = attachments.gate();
        if (gate != null) {
            gate.opened(table::exists);
        }
        checkpointer.restore(views);
        BlockRegistry.raiseTailStarts(registry.files(), registry.manifest().snapshotFileNumber(), table);
        ReplayResult replayed = replay(log, registry, huge);
        huge.judge(isHugeSnapshotLost(manifest.current()), this::startOffset);
        unknownFiles.judge(registry, table, cache, config.log().durability() == Durability.FSYNC);
        log.begin();
        manifest.begin();
        SetAside aside = new SetAside(environment.disk());
        unknownFiles.settle(aside, environment.clock().stampMillis());
        huge.settle(aside, environment.clock().stampMillis());
        deleteOld(aside);
        return start(location, lock, log, manifest, registry, huge, hugeFiles, checkpointer, replayed);
    }

    /** Also after the checkpoints of versions that don't know huge batches; then there are no files. */
    private static boolean isHugeSnapshotLost(Manifest manifest) {
        return manifest.cycle() > 1 && !manifest.viewLsns().containsKey(View.HUGE_ID);
    }

    private long startOffset(int queueId) {
        return table.exists(queueId) ? table.startOffset(queueId) : QueueView.DELETED;
    }

    /**
     * The folder for block files is created after the log. So a store that has the folder and no log has lost its log,
     * and a new log would belong to another store. This holds for an empty folder too: then the log held everything.
     */
    private void refuseBlocksWithoutLog() throws IOException {
        Disk root = environment.disk();
        if (root.exists(BLOCKS_FOLDER)) {
            throw new StartRefusedException("there is no log in " + root.describe() + ", yet there is the folder "
                    + BLOCKS_FOLDER + "; for a new store, remove that too");
        }
    }

    private Disk blocks(Manifest manifest) throws IOException {
        if (!manifest.files().isEmpty() && !environment.disk().exists(BLOCKS_FOLDER)) {
            throw new StartRefusedException("the folder " + BLOCKS_FOLDER + " is missing");
        }
        return environment.disk().directory(BLOCKS_FOLDER);
    }

    private BlockRegistry registry(Disk blocks, CommitLog log, ManifestStore manifest) throws IOException {
        try {
            return new BlockRegistry(blocks, log, manifest, cache, sizes.sweptFiles());
        } catch (AccessDeniedException | ShortageException e) {
            throw e; // A repair would not help.
        } catch (IOException e) {
            throw new StartRefusedException(BLOCKS_FOLDER + ": " + e, e);
        }
    }

    /** Uses the trusted time, so that a wrong clock deletes nothing. */
    private void deleteOld(SetAside aside) throws IOException {
        if (config.setAsideMillis() >= 0) {
            List<String> deleted = aside.deleteOlderThan(environment.clock().expiryMillis() - config.setAsideMillis());
            if (!deleted.isEmpty()) {
                LOG.info("Deleted from {}, because their time was over: {}", SetAside.FOLDER, deleted);
            }
        }
    }

    private ReplayResult replay(CommitLog log, BlockRegistry registry, HugeBatches huge) throws IOException {
        Sweeper sweeper = sweeper(registry, log, Runnable::run);
        Manifest manifest = registry.manifest();
        return new StartReplay(environment, manifest, log, table, tail, sweeper, sizes.maintenanceStepBytes())
                .replay(views, attachments.gate(), huge, attachments.replay());
    }

    private Sweeper sweeper(BlockRegistry registry, CommitLog log, ChainReleaser releaser) {
        return new Sweeper(
                table,
                tail,
                sweepTarget(registry),
                log.keepsBatches() ? null : log::read,
                releaser,
                sizes.sweepCopyBytes(),
                registry.nextCycle());
    }

    private LogWriter logWriter(CommitLog log, HugeBatches huge, long timestampBase) {
        return new LogWriter(
                new LogWriterConfig(
                        timestampBase,
                        config.log().maxBodyBytes(),
                        config.waiting().maxCommands(),
                        config.waiting().maxBytes()),
                log,
                table,
                tail,
                new Applier(table, tail, views, attachments.gate(), huge, attachments.listener()),
                attachments.gate(),
                signals,
                environment.clock(),
                environment.workers());
    }

    private StoreParts start(
            LogLocation location,
            DirectoryLock lock,
            CommitLog log,
            ManifestStore manifest,
            BlockRegistry registry,
            HugeBatches huge,
            HugeFiles hugeFiles,
            Checkpointer checkpointer,
            ReplayResult replayed) {
        long timestampBase = manifest.current().timestampBase();
        LogWriter logWriter = opened(logWriter(log, huge, timestampBase));
        signals.started(logWriter);
        Sweeper sweeper = sweeper(registry, log, chainReleaser(logWriter));
        QueueView queues = this::startOffset;
        Maintenance work = new Maintenance(
                maintenanceConfig(),
                log,
                tail,
                new MaintenanceParts(
                        sweeper,
                        checkpointer,
                        registry,
                        new MergeTask(config.merge(), registry, mergedQueues(queues), log::read),
                        compacting(registry, log, huge, timestampBase),
                        new ObsoleteFiles(registry, queues, table::removals),
                        huge,
                        this::startOffset,
                        retention(registry, logWriter, timestampBase),
                        environment.clock()),
                new MaintenanceWriter(logWriter, table, views, signals),
                replayed,
                environment.failures());
        signals.starting(work);
        Worker worker = environment.workers().start("maintenance", work::work);
        signals.started(worker);
        worker.signal();
        AutoCloseable ticker = environment.workers().everySecond("store-tick", () -> {
            environment.failures().guard(lock::check);
            environment.failures().guard(log::check);
            work.tick();
            worker.signal();
        });
        return new StoreParts(
                ticker,
                location,
                lock,
                log,
                table,
                retentionTable,
                tail,
                cache,
                registry,
                huge,
                hugeWriter(huge, hugeFiles, log.isShared()),
                work,
                worker,
                logWriter,
                signals,
                environment.failures(),
                replayed,
                environment.clock(),
                timestampBase);
    }

    private MaintenanceConfig maintenanceConfig() {
        return new MaintenanceConfig(config.maxReplayBytes(), MAX_REPLAYED_QUEUES, sizes.maintenanceStepBytes());
    }

    private Retention retention(BlockRegistry registry, LogWriter logWriter, long timestampBase) {
        return new Retention(
                retentionTable,
                table,
                registry.files(),
                retentionSurroundings(logWriter),
                environment.clock(),
                timestampBase,
                config.compaction().minTailAgeMillis());
    }

    /** The files of huge batches are in this directory, so a shared log gets none: such a batch is refused. */
    private HugeWriter hugeWriter(HugeBatches huge, HugeFiles files, boolean isShared) {
        return opened(new HugeWriter(
                files,
                huge,
                table::exists,
                isShared ? Integer.MAX_VALUE : config.log().maxBodyBytes() - EntryLayout.MAX_OVERHEAD_BYTES,
                environment.failures(),
                environment.workers()));
    }

    private @Nullable CompactionTask compacting(
            BlockRegistry registry, CommitLog log, HugeBatches huge, long timestampBase) {
        BatchFormat format = attachments.format();
        return format == null
                ? null
                : new CompactionTask(
                        config.compaction(),
                        retentionTable,
                        table,
                        registry,
                        format,
                        log::read,
                        huge,
                        environment.clock(),
                        timestampBase);
    }

    // ---- closing what was opened before a failure ----

    private <T extends AutoCloseable> T opened(T part) {
        opened.push(part);
        return part;
    }

    private void closeOpened(Throwable failed) {
        for (AutoCloseable part : opened) {
            try {
                part.close();
            } catch (Exception e) {
                failed.addSuppressed(e);
            }
        }
    }
}
