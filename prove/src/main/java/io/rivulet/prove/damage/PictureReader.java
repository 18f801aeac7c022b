package io.rivulet.prove.damage;

import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.ClientSettings;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.FetchRequest;
import io.rivulet.protocol.message.FetchResponse;
import io.rivulet.protocol.message.ListOffsetsRequest;
import io.rivulet.protocol.message.ListOffsetsResponse;
import io.rivulet.protocol.message.MetadataRequest;
import io.rivulet.protocol.message.MetadataResponse;
import io.rivulet.protocol.wire.Records;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.CRC32C;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.jspecify.annotations.Nullable;

/** Asks a broker for all records and all state. Owned by: one thread. */
public final class PictureReader {
    private static final int FETCH_VERSION = 12;
    private static final int OFFSETS_VERSION = 7;
    private static final int FETCH_BYTES = 4 << 20;
    private static final long EARLIEST = -2;
    private static final long LATEST = -1;
    private static final byte UNCOMMITTED = 0;
    private static final byte COMMITTED = 1;

    private final BrokerConnection broker;
    private final @Nullable Picture truth;
    private final Picture picture = new Picture();

    private PictureReader(BrokerConnection broker, @Nullable Picture truth) {
        this.broker = broker;
        this.truth = truth;
    }

    /** @param truth says where to continue after a read that failed */
    public static Picture read(String servers, @Nullable Picture truth) {
        try (BrokerConnection broker = BrokerConnection.to(servers, ClientSettings.PLAIN)) {
            PictureReader reader = new PictureReader(broker, truth);
            List<MetadataResponse.MetadataResponseTopic> topics = broker.ask(
                            ApiKey.METADATA, new MetadataRequest().topics(null), MetadataResponse.class)
                    .topics();
            new StateReader(broker, topics, reader.picture.state()).read();
            // internal topics are written anew when they are read
            topics.stream()
                    .filter(topic -> !topic.isInternal())
                    .forEach(topic -> topic.partitions()
                            .forEach(partition ->
                                    reader.readPartition(String.valueOf(topic.name()), partition.partitionIndex())));
            return reader.picture;
        }
    }

    private void readPartition(String topic, int partition) {
        String name = topic + "-" + partition;
        long start = offset(topic, partition, EARLIEST, UNCOMMITTED);
        long end = offset(topic, partition, LATEST, UNCOMMITTED);
        if (start < 0 || end < 0) {
            picture.unusable().add(name);
            return;
        }
        picture.state()
                .add("offsets of " + name + ": " + start + ", " + offset(topic, partition, LATEST, COMMITTED) + ", "
                        + end);
        NavigableMap<Long, String> records = new TreeMap<>();
        picture.records().put(name, records);
        for (long at = start; at < end; ) {
            FetchResponse.PartitionData data = fetch(topic, partition, at, UNCOMMITTED);
            if (data.errorCode() != 0) {
                picture.failed()
                        .computeIfAbsent(name, absent -> new TreeSet<>())
                        .add(at);
                at = afterFailure(name, at, end);
            } else {
                at = Math.max(at, take(data.records(), at, records));
            }
        }
        addAborted(name, fetch(topic, partition, start, COMMITTED));
    }

    /** The next record that there should be. */
    private long afterFailure(String name, long at, long end) {
        Long next = truth == null || !truth.records().containsKey(name)
                ? null
                : truth.records().get(name).higherKey(at);
        return next == null ? (truth == null ? at + 1 : end) : next;
    }

    /** Returns -1 if the broker answers with an error. */
    private long offset(String topic, int partition, long which, byte isolation) {
        ListOffsetsRequest request = new ListOffsetsRequest()
                .replicaId(-1)
                .isolationLevel(isolation)
                .topics(List.of(new ListOffsetsRequest.ListOffsetsTopic()
                        .name(topic)
                        .partitions(List.of(new ListOffsetsRequest.ListOffsetsPartition()
                                .partitionIndex(partition)
                                .timestamp(which)))));
        ListOffsetsResponse.ListOffsetsPartitionResponse answer = broker.ask(
                        ApiKey.LIST_OFFSETS, OFFSETS_VERSION, request, ListOffsetsResponse.class)
                .topics()
                .get(0)
                .partitions()
                .get(0);
        return answer.errorCode() != 0 ? -1 : answer.offset();
    }

    private FetchResponse.PartitionData fetch(String topic, int partition, long offset, byte isolation) {
        FetchRequest request = new FetchRequest()
                .maxBytes(FETCH_BYTES)
                .isolationLevel(isolation)
                .topics(List.of(new FetchRequest.FetchTopic()
                        .topic(topic)
                        .partitions(List.of(new FetchRequest.FetchPartition()
                                .partition(partition)
                                .fetchOffset(offset)
                                .partitionMaxBytes(FETCH_BYTES)))));
        return broker.ask(ApiKey.FETCH, FETCH_VERSION, request, FetchResponse.class)
                .responses()
                .get(0)
                .partitions()
                .get(0);
    }

    private void addAborted(String name, FetchResponse.PartitionData data) {
        List<FetchResponse.AbortedTransaction> aborted = data.abortedTransactions();
        if (aborted != null && data.errorCode() == 0) {
            aborted.forEach(one -> picture.state().add("aborted in " + name + ": " + one));
        }
    }

    /** Returns the offset after the last batch; the greatest number if there is none, as where the last are holes. */
    private static long take(@Nullable Records bytes, long from, NavigableMap<Long, String> records) {
        ByteBuffer buffer = bytes == null ? ByteBuffer.allocate(0) : copy(bytes);
        long next = Long.MAX_VALUE;
        for (MutableRecordBatch batch : MemoryRecords.readableRecords(buffer).batches()) {
            batch.ensureValid();
            String kind = (batch.isControlBatch() ? " control" : "")
                    + (batch.isTransactional() ? " in a transaction of " + batch.producerId() : "");
            for (Record record : batch) {
                if (record.offset() >= from) {
                    records.put(record.offset(), text(record) + kind);
                }
            }
            next = batch.nextOffset();
        }
        return next;
    }

    private static ByteBuffer copy(Records bytes) {
        ByteBuffer copy = ByteBuffer.allocate(bytes.sizeInBytes());
        bytes.slice().readBytes(copy);
        return copy.flip();
    }

    private static String text(Record record) {
        return record.timestamp() + " " + checksum(record.key()) + " " + checksum(record.value()) + " "
                + record.headers().length;
    }

    private static String checksum(@Nullable ByteBuffer bytes) {
        if (bytes == null) {
            return "null";
        }
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate());
        return bytes.remaining() + ":" + crc.getValue();
    }
}
