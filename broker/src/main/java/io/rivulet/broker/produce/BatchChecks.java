package io.rivulet.broker.produce;

import static io.rivulet.protocol.record.RecordBatchLayout.MIN_RECORD_BYTES;

import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.FastThreadLocal;
import io.rivulet.broker.config.TopicSettings;
import io.rivulet.broker.config.TopicSettings.Compression;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.error.RefusedException.RefusedRecord;
import io.rivulet.protocol.record.BatchLimits;
import io.rivulet.protocol.record.BatchValidator;
import io.rivulet.protocol.record.InvalidBatchException;
import io.rivulet.protocol.record.RecordBatch;
import io.rivulet.protocol.record.RecordBatchLayout;
import io.rivulet.protocol.record.RecordCursor;
import io.rivulet.protocol.record.RecordsCheck;
import io.rivulet.protocol.record.Slimmer;
import io.rivulet.protocol.record.TimestampType;
import io.rivulet.protocol.record.codec.Codec;
import io.rivulet.protocol.wire.Records;
import io.rivulet.store.time.StoreClock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Validates batches and stamps their times. Each record is checked, because a Kafka consumer stops for ever at a record
 * that it can't read.
 *
 * <p>Owned by: one thread. Each event loop and each thread of the {@link LongChecks} has one, because a decompressor
 * keeps up to 132 KiB.
 */
public final class BatchChecks implements AutoCloseable {
    /**
     * The records of a request may be so many times as large as the request, in addition to the limit for one batch.
     */
    public static final long MAX_RATIO = 32;

    private static final int BATCHES_PER_PARTITION = 1;
    private static final int MAX_VALIDATORS = 64;
    /** The cost of a partition without records, in bytes of records. */
    private static final int PARTITION_COST = 64;
    /** How many times faster a checksum is than a check of the records. */
    private static final int CHECKSUM_SPEED = 16;

    private static final short ZSTD_FROM_VERSION = 7;
    private static final long NO_TIMESTAMP = -1;
    private static final long BASE_OFFSET_AS_SENT = 0;
    /** Of a batch with more, the first ones are named. */
    private static final int MAX_REFUSED_RECORDS = 1000;

    /** Kafka's message: applications look for it. */
    private static final String REFUSED_BY_TIMESTAMP =
            "One or more records have been rejected due to invalid timestamp";

    private static final FastThreadLocal<BatchChecks> OF_THREAD = new FastThreadLocal<>() {
        @Override
        protected void onRemoval(BatchChecks checks) {
            checks.close();
        }
    };

    private final RecordsCheck recordsCheck;
    private final RecordCursor cursor = new RecordCursor();
    private final int maxDecompressedBytes;
    private final Slimmer slimmer = new Slimmer();
    private final Map<Integer, BatchValidator> validators = new HashMap<>();
    /** The last one used, and its limit: mostly, all topics have the same limit. */
    private @Nullable BatchValidator lastValidator;

    private int lastLimit;
    private @Nullable StoreClock clock;
    private long stampMillis;
    private long cost;

    private BatchChecks(int maxDecompressedBytes) {
        this.recordsCheck = new RecordsCheck(maxDecompressedBytes);
        this.maxDecompressedBytes = maxDecompressedBytes;
    }

    /**
     * Those of this thread. It keeps them, also for the next shard that it serves. They are closed when a thread of
     * Netty ends.
     */
    static BatchChecks ofThread(int maxDecompressedBytes) {
        BatchChecks own = OF_THREAD.getIfExists();
        if (own == null || own.maxDecompressedBytes != maxDecompressedBytes) {
            OF_THREAD.remove();
            own = new BatchChecks(maxDecompressedBytes);
            OF_THREAD.set(own);
        }
        return own;
    }

    /** Reads the time for the checks that follow. */
    public void time(StoreClock newClock) {
        clock = newClock;
        stampMillis = newClock.stampMillis();
    }

    /**
     * Checks the batch of one partition, if that costs no more than allowed.
     *
     * @param maxCost in bytes of checked records
     * @return the batch, stamped and ready to be stored: a flyweight that the next call moves; null if it costs more
     * @throws io.rivulet.protocol.record.InvalidBatchException if it is invalid
     * @throws RefusedException if it is valid but not allowed
     */
    public @Nullable RecordBatch check(
            ByteBuf frame, @Nullable Records records, TopicSettings settings, short version, long maxCost) {
        cost = PARTITION_COST;
        if (records == null || records.sizeInBytes() == 0) {
            throw new RefusedException(ErrorCode.INVALID_RECORD, "there is no batch for the partition");
        }
        // Before the batch is read: a checksum of many megabytes takes too long for an event loop.
        cost += records.sizeInBytes() / CHECKSUM_SPEED;
        if (cost > maxCost) {
            return null;
        }
        RecordBatch batch = validator(settings.maxMessageBytes()).only(frame, records.index(), records.sizeInBytes());
        if (batch.codec() == Codec.ZSTD && version < ZSTD_FROM_VERSION && !isBrokersChoice(settings.compression())) {
            throw new RefusedException(
                    ErrorCode.UNSUPPORTED_COMPRESSION_TYPE, "zstd needs Produce of version " + ZSTD_FROM_VERSION);
        }
        if (!checkRecords(batch, settings, maxCost)) {
            return null;
        }
        stampTime(batch, settings);
        // The first byte of the client's base offset must not look like the mark of a slim batch.
        batch.stampBaseOffset(BASE_OFFSET_AS_SENT);
        return batch;
    }

    private boolean checkRecords(RecordBatch batch, TopicSettings settings, long maxCost) {
        // The check of a long record takes as long as that of the shortest one.
        cost += batch.isCompressed() ? batch.sizeInBytes() : (long) batch.recordCount() * MIN_RECORD_BYTES;
        int maxBytes = (int) Math.max(0, Math.min(maxCost - cost, Integer.MAX_VALUE));
        if (cost > maxCost) {
            return false;
        }
        try {
            return recordsCheck.checkUpTo(maxBytes, batch, settings.compaction() != null);
        } catch (InvalidBatchException e) {
            throw e.reason() == InvalidBatchException.Reason.NO_KEY ? refusalOfRecords(batch, settings) : e;
        } finally {
            cost += batch.isCompressed() ? recordsCheck.checkedBytes() : 0;
        }
    }

    /** The refusal of records that exceed {@link #MAX_RATIO}. */
    public static RefusedException tooManyTimesTheRequest() {
        return new RefusedException(
                ErrorCode.MESSAGE_TOO_LARGE, "the records of the request are too many times as large as the request");
    }

    /** Sets the cost of a partition that is not checked. */
    public void skip() {
        cost = PARTITION_COST;
    }

    /** The cost of the last check, in bytes of checked records. */
    public long cost() {
        return cost;
    }

    /** Makes a checked batch slim, if possible. Returns where the batch begins now; its end does not change. */
    public int slim(RecordBatch batch) {
        return slimmer.slim(batch);
    }

    /** Whether the broker may have chosen zstd, and not the producer. */
    private static boolean isBrokersChoice(@Nullable Compression asked) {
        return asked != null && asked.codec() == Codec.ZSTD;
    }

    private void stampTime(RecordBatch batch, TopicSettings settings) {
        if (settings.timestampType() == TimestampType.LOG_APPEND_TIME) {
            batch.stampMaxTimestamp(TimestampType.LOG_APPEND_TIME, stampMillis);
            return;
        }
        if (!isInBounds(recordsCheck.maxTimestamp(), settings) || !isInBounds(recordsCheck.minTimestamp(), settings)) {
            RefusedException refusal = refusalOfRecords(batch, settings);
            if (!refusal.records().isEmpty()) {
                throw refusal;
            }
        }
        batch.stampMaxTimestamp(TimestampType.CREATE_TIME, recordsCheck.maxTimestamp());
    }

    /** After a jump of the clock two times may be right. A timestamp that fits one of them is accepted. */
    private boolean isInBounds(long timestamp, TopicSettings settings) {
        return !isTooOld(timestamp, settings.timestampBeforeMaxMillis())
                && timestamp - stampMillis <= settings.timestampAfterMaxMillis();
    }

    /** Reads the records once more, to name those that are refused. */
    private RefusedException refusalOfRecords(RecordBatch batch, TopicSettings settings) {
        boolean keyed = settings.compaction() != null;
        boolean timed = settings.timestampType() == TimestampType.CREATE_TIME;
        List<RefusedRecord> refused = new ArrayList<>();
        boolean invalidTimestamp = false;
        try {
            cursor.beginSkimming(batch, maxDecompressedBytes);
            for (int i = 0; refused.size() < MAX_REFUSED_RECORDS && cursor.next(); i++) {
                long timestamp = cursor.record().timestamp();
                if (keyed && !cursor.record().hasKey()) {
                    refused.add(new RefusedRecord(i, "the record has no key, and its topic is compacted"));
                } else if (timed && timestamp != NO_TIMESTAMP && !isInBounds(timestamp, settings)) {
                    refused.add(new RefusedRecord(i, tooFar(timestamp, settings)));
                    invalidTimestamp = true;
                }
            }
        } finally {
            cursor.end();
        }
        return invalidTimestamp
                ? new RefusedException(ErrorCode.INVALID_TIMESTAMP, REFUSED_BY_TIMESTAMP, refused)
                : new RefusedException(
                        ErrorCode.INVALID_RECORD, refused.size() + " records without a key are refused", refused);
    }

    private String tooFar(long timestamp, TopicSettings settings) {
        return "timestamp " + timestamp + " is too far from the broker's " + stampMillis
                + ": message.timestamp.before.max.ms is " + settings.timestampBeforeMaxMillis()
                + ", message.timestamp.after.max.ms " + settings.timestampAfterMaxMillis();
    }

    /** Reads the earlier time only for what is too old by the later one. */
    private boolean isTooOld(long timestamp, long maxMillis) {
        return stampMillis - timestamp > maxMillis
                && Objects.requireNonNull(clock).expiryMillis() - timestamp > maxMillis;
    }

    private BatchValidator validator(int maxBatchBytes) {
        BatchValidator last = lastValidator;
        if (last == null || lastLimit != maxBatchBytes) {
            last = find(maxBatchBytes);
            lastValidator = last;
            lastLimit = maxBatchBytes;
        }
        return last;
    }

    private BatchValidator find(int maxBatchBytes) {
        if (validators.size() == MAX_VALIDATORS && !validators.containsKey(maxBatchBytes)) {
            validators.clear();
        }
        int limit = Math.max(maxBatchBytes, RecordBatchLayout.HEADER_BYTES);
        return validators.computeIfAbsent(
                maxBatchBytes, bytes -> new BatchValidator(new BatchLimits(limit, BATCHES_PER_PARTITION)));
    }

    @Override
    public void close() {
        recordsCheck.close();
        cursor.close();
    }
}
