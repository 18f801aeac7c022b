package io.rivulet.simulation;

import static io.rivulet.simulation.Promise.NOTHING_ELSE;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.rivulet.protocol.message.FetchResponse.PartitionData;
import io.rivulet.protocol.record.RecordBatch;
import io.rivulet.protocol.record.RecordBatchLayout;
import io.rivulet.protocol.record.RecordCursor;
import io.rivulet.protocol.record.RecordView;
import io.rivulet.protocol.wire.Records;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Takes the records out of the answers to fetches, and checks each byte of them. Read-committed if it is told so. */
final class LogReader {
    private static final int MOST_BYTES = 64 << 20;

    private final boolean committed;
    private final Set<Long> abortedProducers = new HashSet<>();
    private final List<ReadRecord> records = new ArrayList<>();
    private long position;
    private long reported;
    /** Batches, markers included, follow each other without a gap. */
    private boolean contiguous = true;

    LogReader(boolean committed, long position) {
        this.committed = committed;
        this.position = position;
        this.reported = position;
    }

    List<ReadRecord> records() {
        return records;
    }

    /** The records since the last call. */
    List<ReadRecord> takeRecords() {
        List<ReadRecord> taken = List.copyOf(records);
        records.clear();
        return taken;
    }

    /** Whether the position has changed since the last call. */
    boolean hasMoved() {
        boolean moved = position != reported;
        reported = position;
        return moved;
    }

    long position() {
        return position;
    }

    boolean isContiguous() {
        return contiguous;
    }

    /** The records of one answer, in addition. */
    @SuppressWarnings("ModifiedButNotUsed") // what is left in the list is of later batches
    void add(PartitionData data) {
        Records read = data.records();
        if (read == null) {
            return;
        }
        List<io.rivulet.protocol.message.FetchResponse.AbortedTransaction> aborted =
                new ArrayList<>(data.abortedTransactions() == null ? List.of() : data.abortedTransactions());
        RecordBatch batch = new RecordBatch();
        int end = read.index() + read.sizeInBytes();
        int at = read.index();
        while (end - at >= RecordBatchLayout.HEADER_BYTES
                && batch.wrap(read.buffer(), at, end - at).sizeInBytes() <= end - at) {
            NOTHING_ELSE.require(batch.isCrcValid(), "a batch at offset %s has a wrong checksum", batch.baseOffset());
            aborted.removeIf(transaction -> {
                boolean begun = transaction.firstOffset() <= batch.lastOffset();
                if (begun) {
                    abortedProducers.add(transaction.producerId());
                }
                return begun;
            });
            add(batch);
            at += batch.sizeInBytes();
        }
    }

    private void add(RecordBatch batch) {
        if (batch.lastOffset() < position) {
            return;
        }
        contiguous &= batch.baseOffset() <= position;
        if (batch.isControl()) {
            abortedProducers.remove(batch.producerId());
        } else if (!(committed && batch.isTransactional() && abortedProducers.contains(batch.producerId()))) {
            try (RecordCursor cursor = new RecordCursor()) {
                cursor.begin(batch, MOST_BYTES);
                while (cursor.next()) {
                    if (cursor.record().offset() >= position) {
                        records.add(record(cursor.record()));
                    }
                }
                cursor.end();
            }
        }
        position = batch.lastOffset() + 1;
    }

    private static ReadRecord record(RecordView record) {
        ByteBuf value = record.value();
        byte[] bytes = value == null ? new byte[0] : ByteBufUtil.getBytes(value);
        ByteBuf key = record.key();
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        String[] parts = text.split("/", 4);
        NOTHING_ELSE.require(parts.length == 4, "the record at %s has an unknown value", record.offset());
        long number = Long.parseLong(parts[1]);
        NOTHING_ELSE.require(
                Arrays.equals(bytes, SentBatch.value(parts[0], number, Integer.parseInt(parts[2]))),
                "the record at %s, %s/%s, is altered",
                record.offset(),
                parts[0],
                number);
        return new ReadRecord(
                record.offset(), key == null ? "" : key.toString(StandardCharsets.UTF_8), parts[0], number);
    }
}
