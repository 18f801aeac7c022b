package io.rivulet.broker.client;

import io.netty.buffer.ByteBuf;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.FetchRequest;
import io.rivulet.protocol.message.FetchRequest.FetchPartition;
import io.rivulet.protocol.message.FetchRequest.FetchTopic;
import io.rivulet.protocol.message.FetchResponse;
import io.rivulet.protocol.message.FetchResponse.FetchableTopicResponse;
import io.rivulet.protocol.message.FetchResponse.PartitionData;
import io.rivulet.protocol.record.RecordBatch;
import io.rivulet.protocol.record.RecordBatchLayout;
import io.rivulet.protocol.record.RecordCursor;
import io.rivulet.protocol.record.RecordView;
import io.rivulet.protocol.wire.Records;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads the partitions of a topic, each from an offset. Owned by one thread. */
public final class TopicReader implements AutoCloseable {
    private static final int NAMES_UP_TO_VERSION = 12;
    private static final int MAX_BYTES = 8 << 20;
    private static final int MAX_DECOMPRESSED_BYTES = 128 << 20;

    /** Handles a record. The view is valid during the call only. */
    @FunctionalInterface
    public interface RecordHandler {
        /** @return false to stop reading */
        boolean handle(int partition, RecordView record);
    }

    private final BrokerConnection broker;
    private final String topic;
    private final SortedMap<Integer, Long> positions;
    private final RecordBatch batch = new RecordBatch();
    private final RecordCursor records = new RecordCursor();

    /** @param offsets the first offset, by partition */
    public TopicReader(BrokerConnection broker, String topic, Map<Integer, Long> offsets) {
        this.broker = broker;
        this.topic = topic;
        this.positions = new TreeMap<>(offsets);
    }

    /** The next offset of each partition. */
    public Map<Integer, Long> positions() {
        return positions;
    }

    /**
     * Handles the records that are there or arrive within this time.
     *
     * @return false if the handler has stopped
     */
    public boolean read(int maxWaitMillis, RecordHandler handler) {
        List<FetchPartition> partitions = new ArrayList<>();
        positions.forEach((partition, offset) -> partitions.add(
                new FetchPartition().partition(partition).fetchOffset(offset).partitionMaxBytes(MAX_BYTES / 8)));
        FetchResponse response = broker.ask(
                ApiKey.FETCH,
                NAMES_UP_TO_VERSION,
                new FetchRequest()
                        .maxWaitMs(maxWaitMillis)
                        .minBytes(1)
                        .maxBytes(MAX_BYTES)
                        .topics(List.of(new FetchTopic().topic(topic).partitions(partitions))),
                FetchResponse.class);
        ClientException.require(response.errorCode(), null, "reading " + topic);
        for (FetchableTopicResponse answer : response.responses()) {
            for (PartitionData data : answer.partitions()) {
                if (!handle(data, handler)) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean handle(PartitionData data, RecordHandler handler) {
        int partition = data.partitionIndex();
        ClientException.require(data.errorCode(), null, "reading " + topic + "-" + partition);
        Records read = data.records();
        if (read == null) {
            return true;
        }
        int end = read.index() + read.sizeInBytes();
        for (int at = read.index(); isBatch(read.buffer(), at, end); at += batch.sizeInBytes()) {
            if (!batch.isCrcValid()) {
                throw new ClientException(
                        "a batch of " + topic + "-" + partition + " is corrupt: its CRC does not match");
            }
            long next = batch.lastOffset() + 1;
            if (!batch.isControl() && !handle(partition, handler)) {
                return false;
            }
            positions.put(partition, next);
        }
        return true;
    }

    /** Wraps the batch at the index; false if no complete one is left. */
    private boolean isBatch(ByteBuf buffer, int at, int end) {
        return end - at >= RecordBatchLayout.HEADER_BYTES
                && batch.wrap(buffer, at, end - at).sizeInBytes() <= end - at;
    }

    private boolean handle(int partition, RecordHandler handler) {
        long from = position(partition);
        records.begin(batch, MAX_DECOMPRESSED_BYTES);
        while (records.next()) {
            if (records.record().offset() >= from) {
                positions.put(partition, records.record().offset() + 1);
                if (!handler.handle(partition, records.record())) {
                    records.end();
                    return false;
                }
            }
        }
        return true;
    }

    private long position(int partition) {
        Long position = positions.get(partition);
        if (position == null) {
            throw new ClientException("the response has partition " + partition + ", which was not requested");
        }
        return position;
    }

    @Override
    public void close() {
        records.close();
    }
}
