package io.rivulet.store.maintenance;

import io.rivulet.store.block.format.BlockFileFooter;
import io.rivulet.store.block.format.BlockFileId;
import io.rivulet.store.block.merge.BlockMerger;
import io.rivulet.store.block.merge.MergeBuffers;
import io.rivulet.store.block.merge.MergePlan;
import io.rivulet.store.block.merge.MergeSettings;
import io.rivulet.store.block.read.BlockReadException;
import io.rivulet.store.block.read.LogPayloads;
import io.rivulet.store.block.read.QueueView;
import io.rivulet.store.io.ShortageException;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the current merge step by step, so that the sweep can run between two steps, and starts the next one.
 *
 * <p>A failure here does not fail the store. A file that can't be read is skipped until the store is opened again, as
 * is one that refers to a batch that the local log can't read. A full disk, or any other failure, ends the merge: a log
 * on other machines may be readable again soon. Its finished outputs stay, and the rest is planned again after a pause.
 *
 * <p>Crash policy: an output is in the manifest before readers see it, and an input is removed from the manifest before
 * it is deleted. After a crash, a merge is recognised by its outputs and continues after them.
 *
 * <p>Owned by: background thread, except {@link #isWanted} and {@link #meter}.
 */
public final class MergeTask {
    private static final Logger LOG = LoggerFactory.getLogger(MergeTask.class);

    /** A full or failing disk needs some time to recover. */
    private static final int PAUSE_TICKS = 60;

    private final MergeConfig config;
    private final BlockRegistry registry;
    private final QueueView queues;
    private final LogPayloads payloads;
    private final MergeCounters meter = new MergeCounters();
    private final MergeBuffers buffers = new MergeBuffers();
    private final Set<Long> unreadable = new HashSet<>();

    private @Nullable BlockMerger merger;
    private @Nullable MergePlan plan;
    private long mergerBytes;
    private boolean inlining;
    private int pauseTicks;
    private volatile boolean wanted = true;

    public MergeTask(MergeConfig config, BlockRegistry registry, QueueView queues, LogPayloads payloads) {
        this.config = config;
        this.registry = registry;
        this.queues = queues;
        this.payloads = payloads;
    }

    // ---- any thread ----

    /** Whether a step may find something to do. */
    public boolean isWanted() {
        return wanted;
    }

    public MergeCounters meter() {
        return meter;
    }

    // ---- background thread ----

    /** Whether a merge has begun. */
    boolean isGoing() {
        return merger != null;
    }

    /** The files or the size of the log have changed: there may be a new merge. */
    void filesChanged() {
        wanted = pauseTicks == 0;
    }

    /** A second has passed. */
    void tick() {
        if (pauseTicks > 0 && --pauseTicks == 0) {
            filesChanged();
        }
    }

    /** Whether so much must be merged that the sweep has to wait. */
    boolean isOverdue() {
        return wanted && meter.debt().overdue();
    }

    /**
     * Continues the merge, or begins the next one; false if there is nothing to do.
     *
     * @param completeBefore the cycle that is being swept
     * @param oldLogBytes about how many bytes of the log are before the start of a replay
     */
    boolean step(long completeBefore, long oldLogBytes) {
        if (!wanted) {
            return false;
        }
        try {
            BlockMerger going = merger != null ? merger : begin(completeBefore, oldLogBytes);
            if (going == null) {
                wanted = false;
                return false;
            }
            advance(going);
        } catch (BlockReadException e) {
            skip(e);
        } catch (ShortageException e) {
            LOG.warn("Merging waits for space: {}", e.getMessage());
            pause();
        } catch (IOException e) {
            failed(e);
        } catch (RuntimeException e) {
            LOG.error("A merge found inconsistent records; its files stay unchanged", e);
            skipPlan();
        }
        return true;
    }

    private @Nullable BlockMerger begin(long completeBefore, long oldLogBytes) {
        List<BlockFileFooter> files = registry.files().footers();
        meter.owes(config.policy().debt(files, completeBefore, unreadable));
        long inlineBelowLsn = 0;
        Optional<MergePlan> next = config.policy().plan(files, completeBefore, unreadable);
        if (next.isEmpty() && keepsTooMuchLog(files, oldLogBytes)) {
            inlineBelowLsn = registry.manifest().replayLsn();
            next = config.policy()
                    .planInlining(files, completeBefore, inlineBelowLsn)
                    .filter(inlining -> inlining.inputs().stream().noneMatch(unreadable::contains));
        }
        if (next.isEmpty()) {
            return null;
        }
        plan = next.get();
        inlining = inlineBelowLsn > 0;
        mergerBytes = 0;
        LOG.debug("Merging {}, inlining below {}", plan, inlineBelowLsn);
        MergeSettings settings = new MergeSettings(config.limits(), config.stepBytes(), inlineBelowLsn);
        merger = registry.merger(next.get(), settings, queues, payloads, buffers);
        return merger;
    }

    /** Before the start of a replay, only the referenced bytes of the log are needed. */
    private boolean keepsTooMuchLog(List<BlockFileFooter> files, long oldLogBytes) {
        if (!registry.logKeepsBatches()) {
            return true;
        }
        long referencedBytes =
                files.stream().mapToLong(BlockFileFooter::referencedBytes).sum();
        return oldLogBytes - referencedBytes > Math.max(config.maxDeadLogBytes(), referencedBytes / 2);
    }

    private void advance(BlockMerger going) throws IOException {
        BlockMerger.Progress progress = going.step();
        if (progress == BlockMerger.Progress.OUTPUT) {
            meter.wrote(going.outputBytes() - mergerBytes);
            mergerBytes = going.outputBytes();
            registry.enter(going.output());
            registry.removeSuperseded();
        } else if (progress == BlockMerger.Progress.DONE) {
            end();
            meter.finished();
            registry.trimLog();
        }
    }

    private void failed(IOException e) {
        if (inlining && registry.logKeepsBatches()) {
            LOG.warn("Block files can't be freed from their references to the log; they stay unchanged", e);
            skipPlan();
        } else {
            LOG.warn("A merge has failed and will be tried again in {} s", PAUSE_TICKS, e);
            pause();
        }
    }

    private void skip(BlockReadException e) {
        MergePlan failed = plan;
        if (failed != null && BlockFileId.isName(e.fileName())) {
            long number = BlockFileId.fileNumber(e.fileName());
            if (failed.inputs().contains(number) && unreadable.add(number)) {
                LOG.warn("A file can't be merged and stays unchanged", e);
                giveUp();
                return;
            }
        }
        failed(e);
    }

    private void skipPlan() {
        MergePlan failed = plan;
        if (failed == null) {
            pause();
        } else {
            unreadable.addAll(failed.inputs());
            giveUp();
        }
    }

    private void pause() {
        giveUp();
        pauseTicks = PAUSE_TICKS;
        wanted = false;
    }

    private void giveUp() {
        meter.failed();
        end();
    }

    private void end() {
        BlockMerger ended = merger;
        merger = null;
        plan = null;
        if (ended != null) {
            ended.close();
        }
    }

    /** Abandons the unfinished output; the store is about to close. */
    void stop() {
        wanted = false;
        end();
    }
}
