package io.rivulet.bench.load;

import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Wire;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.FetchRequest;
import io.rivulet.protocol.message.FetchRequest.FetchPartition;
import io.rivulet.protocol.message.FetchRequest.FetchTopic;
import io.rivulet.protocol.message.FetchResponse;
import io.rivulet.protocol.message.FetchResponse.PartitionData;
import java.io.IOException;
import java.util.List;

/**
 * Reads the first partition of a topic from the beginning, and decodes the headers of batches only. At the end it waits
 * for more, or starts again. Owned by: its own thread, except {@link #close}.
 */
public final class FetchLoad extends Running.Load<Wire> {
    /** The last version that knows topics by name. */
    public static final short VERSION = 12;

    /** What to do when everything has been read. */
    public enum AtEnd {
        WAIT,
        START_AGAIN
    }

    private static final byte READ_UNCOMMITTED = 0;
    private static final byte READ_COMMITTED = 1;
    private static final int MAX_BYTES = 1 << 20;
    private static final int MAX_WAIT_MILLIS = 500;

    private final String topic;
    private final AtEnd atEnd;
    private final byte isolationLevel;
    private final Counters counters;
    private long offset;

    public FetchLoad(RunningBroker broker, String topic, AtEnd atEnd, Counters counters) throws IOException {
        this(broker, topic, atEnd, READ_UNCOMMITTED, counters);
    }

    private FetchLoad(RunningBroker broker, String topic, AtEnd atEnd, byte isolationLevel, Counters counters)
            throws IOException {
        super(broker.wire());
        this.isolationLevel = isolationLevel;
        this.topic = topic;
        this.atEnd = atEnd;
        this.counters = counters;
    }

    /** Reads with read_committed, again and again. Counts aborted records too, because only clients remove them. */
    public static FetchLoad ofCommitted(RunningBroker broker, String topic, Counters counters) throws IOException {
        return new FetchLoad(broker, topic, AtEnd.START_AGAIN, READ_COMMITTED, counters);
    }

    public static FetchRequest request(String topic, int partition, long offset, int maxWaitMillis) {
        return new FetchRequest()
                .maxWaitMs(maxWaitMillis)
                .minBytes(1)
                .maxBytes(MAX_BYTES)
                .topics(List.of(new FetchTopic().topic(topic).partitions(List.of(partition(partition, offset)))));
    }

    public static FetchPartition partition(int partition, long offset) {
        return new FetchPartition().partition(partition).fetchOffset(offset).partitionMaxBytes(MAX_BYTES);
    }

    @Override
    protected void load() throws IOException {
        int waitMillis = atEnd == AtEnd.WAIT ? MAX_WAIT_MILLIS : 0;
        while (!isClosed()) {
            take((FetchResponse) connection.call(
                    ApiKey.FETCH, VERSION, request(topic, 0, offset, waitMillis).isolationLevel(isolationLevel)));
        }
    }

    private void take(FetchResponse response) {
        if (response.responses().isEmpty()) {
            return;
        }
        long before = offset;
        PartitionData data = response.responses().get(0).partitions().get(0);
        if (data.errorCode() != 0) {
            throw new IllegalStateException("a fetch has error " + data.errorCode());
        }
        counters.bytes().add(Batches.walk(data.records(), (buffer, at, first, next) -> {
            counters.messages().add(next - offset);
            offset = next;
        }));
        if (offset == before && atEnd == AtEnd.START_AGAIN) {
            offset = 0;
        }
    }
}
