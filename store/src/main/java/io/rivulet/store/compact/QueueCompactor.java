package io.rivulet.store.compact;

import io.rivulet.store.BatchFormat;
import io.rivulet.store.BatchFormat.Kind;
import io.rivulet.store.CompactionTerms;
import io.rivulet.store.block.read.BlockSnapshot;
import io.rivulet.store.block.read.BlockSnapshot.Placed;
import io.rivulet.store.block.read.LogPayloads;
import io.rivulet.store.block.write.BlockFileWriter;
import io.rivulet.store.compact.QueueTransactions.Fate;
import io.rivulet.store.huge.HugeBatches;
import io.rivulet.store.time.StoreClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compacts queues, one after the other, in steps of a batch each. The records of a queue are numbered, clean ones
 * first.
 *
 * <pre>
 *   SURVEY   counts clean records, and looks for transactions
 *   DIRTY    puts the keys of dirty records into the table; a record whose key comes again is dead
 *   CLEAN    looks the keys of clean records up: those that are there are dead
 *   REWRITE  writes what is not dead
 * </pre>
 *
 * <p>At the first transaction SURVEY begins again with all records, because aborted transactions must be known first.
 * If the table is full, DIRTY begins again with half of the keys: those whose hash begins with one more bit of the
 * share. DIRTY and CLEAN run for each share; for the last share, which is usually the only one, CLEAN is part of
 * REWRITE. So all records are usually read twice.
 *
 * <p>Of a huge batch that is longer than the format reads, only the head is read: it stays, or belongs to an aborted
 * transaction.
 *
 * <p>A marker stays as long as a record of its transaction; then the format decides.
 *
 * <p>Memory: table and a bit for each record, together never more than it was made for. Owned by: background thread.
 */
public final class QueueCompactor {
    private enum Phase {
        SURVEY,
        DIRTY,
        CLEAN,
        REWRITE,
        DONE
    }

    /** A time before all horizons. */
    private static final long NO_EXPIRY = 0;

    /** Enough for any number of keys with different hashes. */
    private static final int MAX_SHARE_BITS = 30;

    private final BatchFormat format;
    private final KeyTable keys;
    private final long maxRecords;
    private final QueueWalk walk;
    private final CompactedStreamBuilder gatherer;
    private final long timestampBase;

    private BitSet dead = new BitSet();
    private QueueTransactions transactions = new QueueTransactions();
    /** Producers that have a record after their last marker in the output of REWRITE. */
    private final Set<Long> withRecords = new HashSet<>();
    /** References to huge batches that the output does not have. */
    private final Set<Long> removedHuge = new HashSet<>();

    private int queueId;
    private List<Placed> blocks = List.of();
    private CompactionTerms terms;
    private long endOffset;
    private long nowMillis;
    /** Of tombstones that are met for the first time. */
    private long horizonMillis;

    private int cleanBlocks;
    private long cleanRecords;
    private long number;
    /** Whether transactions have been met and are known. */
    private boolean surveyed;

    /** A share has the keys whose second hash begins with these bits. */
    private int share;

    private int shareBits;
    private Phase phase = Phase.DONE;

    /** @param maxBytes for keys and records of a queue */
    public QueueCompactor(
            BatchFormat format,
            BlockSnapshot files,
            LogPayloads log,
            HugeBatches huge,
            long maxBytes,
            int targetBlockBytes,
            long timestampBase,
            CompactionTerms terms) {
        this.format = format;
        this.keys = new KeyTable(maxBytes / 2);
        this.maxRecords = Math.min(Integer.MAX_VALUE - 1L, maxBytes / 2 * Byte.SIZE);
        this.walk = new QueueWalk(files, log, huge);
        this.gatherer = new CompactedStreamBuilder(targetBlockBytes);
        this.timestampBase = timestampBase;
        this.terms = terms;
    }

    /**
     * Begins with a queue.
     *
     * @param ofQueue the blocks to compact, in order, clean blocks first
     * @param queueEnd where the last batch of the queue ends
     */
    public void begin(int ofId, List<Placed> ofQueue, long queueEnd, CompactionTerms termsOfQueue, StoreClock clock) {
        requireNoGap(ofQueue);
        queueId = ofId;
        blocks = ofQueue;
        terms = termsOfQueue;
        endOffset = queueEnd;
        nowMillis = Math.max(NO_EXPIRY, clock.expiryMillis());
        long stampMillis = Math.max(nowMillis, clock.stampMillis());
        horizonMillis = stampMillis + Math.min(terms.deleteRetentionMillis(), Long.MAX_VALUE - stampMillis);
        cleanBlocks = (int) ofQueue.stream().filter(Placed::isCompacted).count();
        cleanRecords = 0;
        surveyed = false;
        dead = new BitSet();
        transactions = new QueueTransactions();
        withRecords.clear();
        gatherer.begin(queueId, ofQueue.get(0).block().baseOffset());
        enter(Phase.SURVEY, 0, cleanBlocks);
    }

    /** Offsets are counted from the first one on. */
    private static void requireNoGap(List<Placed> blocks) {
        for (int i = 1; i < blocks.size(); i++) {
            if (blocks.get(i).block().baseOffset() != blocks.get(i - 1).block().endOffset()) {
                throw new IllegalStateException(blocks.get(i) + " does not begin where " + blocks.get(i - 1) + " ends");
            }
        }
    }

    private void enter(Phase next, int firstBlock, int endBlock) {
        phase = next;
        number = next == Phase.DIRTY ? cleanRecords : 0;
        walk.begin(blocks, firstBlock, endBlock);
    }

    /** Processes one batch; false if the queue is done. */
    public boolean step(BlockFileWriter writer) throws IOException {
        if (!walk.next()) {
            endPhase(writer);
        } else if (phase == Phase.REWRITE) {
            rewrite(writer);
        } else if (!walk.at().isHole()) {
            readBatch();
        }
        return phase != Phase.DONE;
    }

    /** The references to huge batches that are not in the output, for all queues. */
    public Set<Long> removedHuge() {
        return removedHuge;
    }

    /** Bytes read so far, for all queues. */
    public long workedBytes() {
        return walk.workedBytes();
    }

    private void endPhase(BlockFileWriter writer) throws IOException {
        switch (phase) {
            case SURVEY -> {
                share = 0;
                shareBits = 0;
                enterDirty();
            }
            case DIRTY ->
                enter(isLastShare() ? Phase.REWRITE : Phase.CLEAN, 0, isLastShare() ? blocks.size() : cleanBlocks);
            case CLEAN -> {
                share++;
                enterDirty();
            }
            default -> {
                keys.shrink();
                gatherer.end(writer);
                phase = Phase.DONE;
            }
        }
    }

    private void enterDirty() {
        keys.clear();
        enter(Phase.DIRTY, cleanBlocks, blocks.size());
    }

    private boolean isLastShare() {
        return share + 1 == 1 << shareBits;
    }

    /** Begins again with half of the keys. Dead records stay dead. */
    private void halveShare() {
        if (shareBits == MAX_SHARE_BITS) {
            throw new IllegalStateException("the hashes of too many keys begin with the same bits");
        }
        share *= 2;
        shareBits++;
        enterDirty();
    }

    /** Begins again, because there are transactions and their results must be known first. */
    private void surveyTransactions() {
        surveyed = true;
        // Transactions that were undecided in the last compaction may replace records only now.
        cleanBlocks = 0;
        cleanRecords = 0;
        dead = new BitSet();
        enter(Phase.SURVEY, 0, blocks.size());
    }

    private void readBatch() throws IOException {
        ByteBuffer batch = batch();
        Kind kind = format.kind(batch);
        if (kind == Kind.TRANSACTION_RECORDS && !surveyed) {
            surveyTransactions();
            return;
        }
        if (phase == Phase.SURVEY) {
            survey(batch, kind);
        } else {
            findDead(batch, kind);
        }
        number += walk.at().recordCount();
        if (number > maxRecords) {
            throw new IllegalStateException("more records than there is memory for: " + maxRecords);
        }
        if (keys.isFull()) {
            halveShare();
        }
    }

    /** Whether only the head of the batch is read. */
    private boolean isTooLong() {
        return walk.at().isHuge() && walk.at().payloadLength() > format.maxReadBytes();
    }

    private ByteBuffer batch() throws IOException {
        return isTooLong() ? walk.head() : walk.batch();
    }

    private void survey(ByteBuffer batch, Kind kind) {
        if (walk.isBefore(cleanBlocks)) {
            cleanRecords += walk.at().recordCount();
        }
        long offset = walk.at().baseOffset();
        switch (kind) {
            case TRANSACTION_RECORDS -> transactions.records(format.producerId(batch), offset);
            case COMMIT -> transactions.committed(format.producerId(batch));
            case ABORT -> transactions.aborted(format.producerId(batch), offset);
            default -> {}
        }
    }

    private void findDead(ByteBuffer batch, Kind kind) {
        long first = number;
        if (isTooLong() || !countsForKeys(batch, kind)) {
            return;
        }
        if (phase == Phase.DIRTY) {
            format.forEachKey(batch, (delta, hash1, hash2) -> put((int) (first + delta), hash1, hash2));
        } else {
            format.forEachKey(batch, (delta, hash1, hash2) -> lookUp((int) (first + delta), hash1, hash2));
        }
    }

    /** Records of aborted or undecided transactions replace no others. */
    private boolean countsForKeys(ByteBuffer batch, Kind kind) {
        return kind == Kind.RECORDS || (kind == Kind.TRANSACTION_RECORDS && fate(batch) == Fate.COMMITTED);
    }

    private Fate fate(ByteBuffer batch) {
        return transactions.fate(format.producerId(batch), walk.at().baseOffset());
    }

    private boolean isOfShare(long hash2) {
        return shareBits == 0 || hash2 >>> (Long.SIZE - shareBits) == share;
    }

    private void put(int record, long hash1, long hash2) {
        if (isOfShare(hash2)) {
            int before = keys.put(hash1, hash2, record);
            if (before != KeyTable.NONE) {
                dead.set(before);
            }
        }
    }

    private void lookUp(int record, long hash1, long hash2) {
        if (isOfShare(hash2) && keys.has(hash1, hash2)) {
            dead.set(record);
        }
    }

    @SuppressWarnings("ReferenceEquality") // whether it is the batch as it was
    private void rewrite(BlockFileWriter writer) throws IOException {
        int count = walk.at().recordCount();
        if (walk.at().isHole()) {
            gatherer.hole(count);
            return;
        }
        ByteBuffer batch = batch();
        Kind kind = format.kind(batch);
        if (walk.isBefore(cleanBlocks)) {
            findDead(batch, kind);
        }
        boolean last = walk.at().nextOffset() >= endOffset;
        ByteBuffer left = switch (kind) {
            case RECORDS -> leftOfRecords(batch, last);
            case TRANSACTION_RECORDS -> leftOfTransaction(batch, last);
            case COMMIT, ABORT -> leftOfMarker(batch, last);
            case OTHER -> batch;
        };
        number += count;
        boolean isHuge = walk.at().isHuge();
        if (isHuge && left == batch) {
            gatherer.reference(walk.at(), walk.record(), writer);
            return;
        }
        if (isHuge) {
            removedHuge.add(walk.at().referenceLsn());
        }
        if (left == null) {
            gatherer.hole(count);
        } else {
            long delta = left == batch ? walk.at().timestampDelta() : format.maxTimestamp(left) - timestampBase;
            gatherer.batch(left, count, delta, writer);
        }
    }

    private @Nullable ByteBuffer leftOfRecords(ByteBuffer batch, boolean last) {
        if (isTooLong()) {
            return batch;
        }
        ByteBuffer left = reduce(batch, transactions.hasOpen() ? NO_EXPIRY : nowMillis);
        return left == null && last ? leftOfLast(batch) : left;
    }

    /**
     * The last batch stays, so that readers reach the end. Its dead records are removed, because nothing will replace
     * them again.
     */
    private ByteBuffer leftOfLast(ByteBuffer batch) {
        ByteBuffer left = reduce(batch, NO_EXPIRY);
        return left == null ? batch : left;
    }

    private @Nullable ByteBuffer leftOfTransaction(ByteBuffer batch, boolean last) {
        ByteBuffer left = switch (fate(batch)) {
            case OPEN -> batch;
            case ABORTED -> null;
            case COMMITTED -> leftOfRecords(batch, last);
        };
        if (left != null) {
            withRecords.add(format.producerId(batch));
        }
        return left;
    }

    private @Nullable ByteBuffer leftOfMarker(ByteBuffer batch, boolean last) {
        boolean hasRecords = withRecords.remove(format.producerId(batch));
        return hasRecords || last
                ? batch
                : format.reduceMarker(queueId, walk.at().baseOffset(), batch, nowMillis, horizonMillis - nowMillis);
    }

    /** A tombstone stays if a transaction before it may still be committed. */
    private @Nullable ByteBuffer reduce(ByteBuffer batch, long millis) {
        long first = number;
        return format.reduce(batch, delta -> !dead.get((int) (first + delta)), millis, horizonMillis - millis);
    }
}
