package io.rivulet.store.open;

import static io.rivulet.store.simulation.Invariant.BYTES_UNALTERED;
import static io.rivulet.store.simulation.Invariant.MERGES_DROP_THE_DEAD;
import static io.rivulet.store.simulation.Invariant.NOTHING_FORGOTTEN;
import static io.rivulet.store.simulation.Invariant.OFFSETS_CONTIGUOUS;
import static io.rivulet.store.simulation.Invariant.OPENS_AND_WORKS;
import static io.rivulet.store.simulation.Invariant.PAGES_BALANCED;

import io.rivulet.store.AppendRequest;
import io.rivulet.store.AppendRequest.Wait;
import io.rivulet.store.BatchSink;
import io.rivulet.store.ReadStatus;
import io.rivulet.store.StoreMetric;
import io.rivulet.store.block.format.BlockEntry;
import io.rivulet.store.block.read.BlockFile;
import io.rivulet.store.simulation.Batch;
import io.rivulet.store.simulation.Model;
import io.rivulet.store.simulation.Violation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Compares a store with the model of its content. */
public final class StoreChecker {
    private static final int CYCLES_UNTIL_A_MERGE = 3;

    private final SimulatedStore simulated;

    public StoreChecker(SimulatedStore simulated) {
        this.simulated = simulated;
    }

    /** Reads all queues from start to end and compares every byte. */
    void requireHolds(Model model, int maxBytes) {
        for (Map.Entry<Integer, Model.Queue> queue : model.queues().entrySet()) {
            long offset = queue.getValue().startOffset();
            while (offset < queue.getValue().endOffset()) {
                offset = requireRead(queue.getKey(), queue.getValue(), offset, maxBytes);
            }
            OFFSETS_CONTIGUOUS.require(
                    offset == queue.getValue().endOffset(), "queue %s ends at %s", queue.getKey(), offset);
        }
    }

    /** One read; returns the offset after it. */
    long requireRead(int queueId, Model.Queue queue, long offset, int maxBytes) {
        ReadCheck check = new ReadCheck(queueId, queue, offset);
        try {
            ReadStatus status = simulated.reader.read(queueId, offset, maxBytes, check);
            OFFSETS_CONTIGUOUS.require(
                    status == ReadStatus.BATCHES, "queue %s, %s, offset %s: %s", queueId, queue, offset, status);
        } catch (IOException | RuntimeException e) {
            throw OFFSETS_CONTIGUOUS.violated("queue " + queueId + ", " + queue + " at offset " + offset, e);
        }
        check.requireSound();
        return check.nextOffset;
    }

    /** Receives batches and keeps the first error, because the reader must not get our exceptions. */
    private static final class ReadCheck implements BatchSink {
        private final int queueId;
        private final Model.Queue queue;
        private final long fromOffset;
        private long nextOffset = -1;
        private @Nullable RuntimeException wrong;

        ReadCheck(int queueId, Model.Queue queue, long fromOffset) {
            this.queueId = queueId;
            this.queue = queue;
            this.fromOffset = fromOffset;
        }

        @Override
        public boolean batch(
                long baseOffset, int recordCount, long maxTimestamp, ByteBuffer bytes, int at, int length) {
            try {
                check(baseOffset, recordCount, maxTimestamp, bytes.slice(at, length));
                return true;
            } catch (RuntimeException e) {
                wrong = e;
                return false;
            }
        }

        private void check(long baseOffset, int recordCount, long maxTimestamp, ByteBuffer bytes) {
            boolean follows = nextOffset < 0
                    ? baseOffset <= fromOffset && fromOffset < baseOffset + recordCount
                    : baseOffset == nextOffset;
            Batch expected = queue.batchAt(baseOffset);
            OFFSETS_CONTIGUOUS.require(
                    follows && expected != null,
                    "queue %s, read from %s: a batch at %s after %s",
                    queueId,
                    fromOffset,
                    baseOffset,
                    nextOffset);
            if (expected != null) {
                boolean same = expected.recordCount() == recordCount
                        && expected.maxTimestamp() == maxTimestamp
                        && ByteBuffer.wrap(expected.bytes()).equals(bytes);
                BYTES_UNALTERED.require(same, "queue %s, the batch at %s is not %s", queueId, baseOffset, expected);
            }
            nextOffset = baseOffset + recordCount;
        }

        void requireSound() {
            if (wrong != null) {
                throw wrong;
            }
            OFFSETS_CONTIGUOUS.require(
                    nextOffset > fromOffset, "queue %s, offset %s: a read without a batch", queueId, fromOffset);
        }
    }

    /** Sweeps, and reads everything again. */
    void requireSweepChangesNothing(Model model) {
        CompletionStage<Void> swept = simulated.store.sweepEverything();
        simulated.workers.runAll();
        requireDone(swept, "the sweep");
        PAGES_BALANCED.require(
                simulated.usedChunks() == 0, "%s chunks are used after a sweep of all", simulated.usedChunks());
        requireHolds(model, 1 << 20);
    }

    /** Sweeps small cycles until something is merged. Output files must not have blocks without readable records. */
    void requireMergesDropTheDead() {
        var queue = simulated.store.createQueues(1, 0).toCompletableFuture();
        simulated.workers.runAll();
        requireDone(queue, "a creation");
        long firstNumber = simulated.store.registry().manifest().nextFileNumber();
        for (int cycle = 0; cycle < CYCLES_UNTIL_A_MERGE; cycle++) {
            simulated.store.append(new AppendRequest(ByteBuffer.allocate(1), Wait.DURABLE, completed -> {})
                    .add(queue.join(), 0, 1, 1, 0));
            simulated.workers.runAll();
            CompletionStage<Void> swept = simulated.store.sweepEverything();
            simulated.workers.runAll();
            requireDone(swept, "the sweep");
        }
        for (BlockFile file : simulated.store.registry().files().files()) {
            if (file.footer().level() > 1 && file.fileNumber() >= firstNumber) {
                requireNothingDead(file);
            }
        }
    }

    /**
     * A block of an input with some readable records is copied completely. It may become several blocks if large
     * batches in it are inlined.
     */
    private void requireNothingDead(BlockFile file) {
        Map<Integer, BlockEntry> dead = new TreeMap<>();
        try {
            file.forEachBlock(block -> {
                boolean live = simulated.store.exists(block.queueId())
                        && block.endOffset() > simulated.store.startOffset(block.queueId());
                if (live) {
                    dead.remove(block.queueId());
                } else {
                    dead.put(block.queueId(), block);
                }
            });
            MERGES_DROP_THE_DEAD.require(dead.isEmpty(), "%s holds %s", file.name(), dead.values());
        } catch (IOException e) {
            throw OPENS_AND_WORKS.violated("a directory can't be read", e);
        }
    }

    /** Deletes all queues: nothing of them may be left in the tail. */
    void requireAllIsReleased(Model model) {
        List<CompletionStage<Integer>> deletions = new ArrayList<>();
        for (int queueId : model.queues().keySet()) {
            deletions.add(simulated.store.deleteQueues(queueId, 1));
            simulated.workers.runAll();
        }
        deletions.forEach(deletion -> requireDone(deletion, "a deletion"));
        PAGES_BALANCED.require(
                simulated.usedChunks() == 0 && simulated.tailIsFree(),
                "%s chunks are used, and some set aside, after all queues were deleted",
                simulated.usedChunks());
    }

    /** Closes the store, which must then hold no page. */
    public void close() {
        try {
            simulated.close();
        } catch (IOException | RuntimeException e) {
            throw OPENS_AND_WORKS.violated("the store can't be closed", e);
        }
        PAGES_BALANCED.require(
                simulated.pagesHeld() == 0 && simulated.openLeases() == 0,
                "%s pages of the cache are held by %s leases after the close",
                simulated.pagesHeld(),
                simulated.openLeases());
    }

    void requireNotFailed() {
        Throwable failure = simulated.store.failure();
        if (failure instanceof Violation found) {
            throw found; // by a client that ran in the I/O of one of the store's threads
        }
        if (failure != null) {
            throw OPENS_AND_WORKS.violated("the store has failed", failure);
        }
        long givenUp = simulated.store.metric(StoreMetric.MERGE_FAILURES);
        OPENS_AND_WORKS.require(
                givenUp == 0 || simulated.tampering != Tampering.NONE, "%s merges have failed", givenUp);
    }

    private void requireDone(CompletionStage<?> stage, String what) {
        requireNotFailed();
        var future = stage.toCompletableFuture();
        NOTHING_FORGOTTEN.require(future.isDone() && !future.isCompletedExceptionally(), "%s is not done", what);
    }
}
