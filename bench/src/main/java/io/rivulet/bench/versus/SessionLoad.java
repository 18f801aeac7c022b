package io.rivulet.bench.versus;

import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Wire;
import io.rivulet.bench.load.Batches;
import io.rivulet.bench.load.FetchLoad;
import io.rivulet.bench.load.Latency;
import io.rivulet.bench.load.PacedLoad;
import io.rivulet.bench.load.Running;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.FetchRequest;
import io.rivulet.protocol.message.FetchRequest.FetchPartition;
import io.rivulet.protocol.message.FetchRequest.FetchTopic;
import io.rivulet.protocol.message.FetchResponse;
import io.rivulet.protocol.message.FetchResponse.FetchableTopicResponse;
import io.rivulet.protocol.message.FetchResponse.PartitionData;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/** A consumer with a fetch session over a topic. Owned by: the thread in {@link #run}, except {@link #close}. */
final class SessionLoad extends Running.Load<Wire> {
    private static final short VERSION = FetchLoad.VERSION;
    private static final int MAX_WAIT_MILLIS = 500;
    private static final int MAX_BYTES = 50 << 20;
    private static final long BEGIN_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final String topic;
    private final long[] offsets;
    /** The offset of the paced load's first message in each partition. */
    private final long[] firstOffsets;

    private final Recorder latencies = Latency.recorder();
    private @Nullable PacedLoad paced;
    private int sessionId;
    private int epoch;
    private int frames;
    private List<FetchPartition> moved = new ArrayList<>();
    private volatile long messages;

    SessionLoad(RunningBroker broker, String topic, int partitions) throws IOException {
        super(new Wire(broker.port()));
        this.topic = topic;
        this.offsets = new long[partitions];
        this.firstOffsets = new long[partitions];
    }

    /** Begins the session, and reads what the topic has already. */
    void begin() throws IOException {
        for (int partition = 0; partition < offsets.length; partition++) {
            moved.add(FetchLoad.partition(partition, 0));
        }
        long untilNanos = System.nanoTime() + BEGIN_NANOS;
        boolean quiet = false;
        while (!quiet) {
            quiet = fetch(0) == 0 && epoch > 1;
            if (System.nanoTime() > untilNanos) {
                throw new IOException("the new fetch session still returns records after a minute");
            }
        }
        System.arraycopy(offsets, 0, firstOffsets, 0, offsets.length);
    }

    /** Measures the latencies of this load, whose frames visit the partitions in turn. */
    void follow(PacedLoad load, int framesOfLoad) {
        paced = load;
        frames = framesOfLoad;
    }

    Recorder latencies() {
        return latencies;
    }

    long messages() {
        return messages;
    }

    @Override
    protected void load() throws IOException {
        while (!isClosed()) {
            count(fetch(MAX_WAIT_MILLIS));
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    private void count(int more) {
        messages += more;
    }

    /** Sends the offsets that have changed. Returns the number of messages received. */
    private int fetch(int waitMillis) throws IOException {
        FetchRequest request = new FetchRequest()
                .maxWaitMs(waitMillis)
                .minBytes(1)
                .maxBytes(MAX_BYTES)
                .sessionId(sessionId)
                .sessionEpoch(epoch)
                .topics(
                        moved.isEmpty()
                                ? List.of()
                                : List.of(new FetchTopic().topic(topic).partitions(moved)));
        moved = new ArrayList<>();
        FetchResponse response = (FetchResponse) connection.call(ApiKey.FETCH, VERSION, request);
        if (response.errorCode() != 0 || response.sessionId() == 0) {
            throw new IOException("there is no fetch session: error " + response.errorCode());
        }
        sessionId = response.sessionId();
        epoch++;
        long now = System.nanoTime();
        int count = 0;
        for (FetchableTopicResponse one : response.responses()) {
            for (PartitionData data : one.partitions()) {
                count += take(data, now);
            }
        }
        return count;
    }

    private int take(PartitionData data, long nowNanos) throws IOException {
        if (data.errorCode() != 0) {
            throw new IOException("partition " + data.partitionIndex() + " has error " + data.errorCode());
        }
        int partition = data.partitionIndex();
        long before = offsets[partition];
        Batches.walk(data.records(), (buffer, at, first, next) -> {
            for (long offset = first; offset < next; offset++) {
                record(partition, offset, nowNanos);
            }
            offsets[partition] = next;
        });
        if (offsets[partition] > before) {
            moved.add(FetchLoad.partition(partition, offsets[partition]));
        }
        return (int) (offsets[partition] - before);
    }

    private void record(int partition, long offset, long nowNanos) {
        PacedLoad load = paced;
        if (load != null) {
            long request = (offset - firstOffsets[partition]) * frames + partition;
            latencies.recordValue(Math.max(0, nowNanos - load.dueNanos(request)));
        }
    }
}
