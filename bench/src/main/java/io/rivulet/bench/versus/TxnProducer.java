package io.rivulet.bench.versus;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Wire;
import io.rivulet.bench.load.Counters;
import io.rivulet.bench.load.LoadShape;
import io.rivulet.bench.load.ProduceFrames;
import io.rivulet.bench.load.Running;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.EndTxnRequest;
import io.rivulet.protocol.message.EndTxnResponse;
import io.rivulet.protocol.message.InitProducerIdRequest;
import io.rivulet.protocol.message.InitProducerIdResponse;
import io.rivulet.protocol.message.ProduceRequest;
import io.rivulet.protocol.message.ProduceRequest.PartitionProduceData;
import io.rivulet.protocol.message.ProduceResponse;
import io.rivulet.protocol.message.ProduceResponse.PartitionProduceResponse;
import io.rivulet.protocol.record.RecordBatchBuilder;
import io.rivulet.protocol.wire.Records;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A producer with transactions of version 2. Each transaction is one Produce request with a batch for each partition,
 * and one EndTxn request. Owned by: its own thread, except {@link #close}.
 */
final class TxnProducer extends Running.Load<Wire> {
    private static final short INIT_VERSION = 5;
    /** The first version that adds its partitions to the transaction. */
    private static final short PRODUCE_VERSION = 12;
    /** The first version that raises the epoch. */
    private static final short END_VERSION = 5;

    private static final int TIMEOUT_MILLIS = 60_000;
    private static final int VALUE_BYTES = 58;
    /** Clients wait 20 to 100 ms. Without a pause, the broker would mostly send refusals. */
    private static final long BETWEEN_TRIES_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final short NONE = 0;
    private static final short LOADING = 14;
    private static final short NOT_AVAILABLE = 15;
    private static final short NOT_COORDINATOR = 16;
    private static final short CONCURRENT_TRANSACTIONS = 51;

    private final String id;
    private final String topic;
    private final int partitions;
    private final int recordsPerBatch;
    private final int abortEvery;
    private final Counters counters;
    private final byte[] value = new byte[VALUE_BYTES];
    private long producerId = -1;
    private short epoch = -1;

    /**
     * @param abortEvery aborts each transaction whose number is a multiple of it; 0 for none
     * @param counters of transactions and of the latencies of EndTxn
     */
    TxnProducer(RunningBroker broker, String id, LoadShape shape, String topic, int abortEvery, Counters counters)
            throws IOException {
        super(new Wire(broker.port()));
        this.id = id;
        this.topic = topic;
        this.partitions = shape.partitions();
        this.recordsPerBatch = shape.recordsPerBatch();
        this.abortEvery = abortEvery;
        this.counters = counters;
        new SplittableRandom(58).nextBytes(value);
    }

    @Override
    protected void load() throws IOException {
        begin();
        for (long i = 1; !isClosed(); i++) {
            produce();
            long startNanos = System.nanoTime();
            end(abortEvery == 0 || i % abortEvery != 0);
            counters.latencies().recordValue(System.nanoTime() - startNanos);
            counters.messages().increment();
        }
    }

    /** Initializes the producer id. */
    void begin() throws IOException {
        InitProducerIdRequest request =
                new InitProducerIdRequest().transactionalId(id).transactionTimeoutMs(TIMEOUT_MILLIS);
        InitProducerIdResponse response;
        do {
            response = (InitProducerIdResponse) connection.call(ApiKey.INIT_PRODUCER_ID, INIT_VERSION, request);
        } while (mustRetry(response.errorCode(), "the beginning"));
        producerId = response.producerId();
        epoch = response.producerEpoch();
    }

    /** Sends a batch to each partition. */
    void produce() throws IOException {
        ByteBuf batch = batch();
        List<PartitionProduceData> data = new ArrayList<>(partitions);
        for (int i = 0; i < partitions; i++) {
            data.add(new PartitionProduceData().index(i).records(Records.of(batch)));
        }
        ProduceRequest request = ProduceFrames.request(topic, data).transactionalId(id);
        boolean again = true;
        while (again) {
            ProduceResponse response = (ProduceResponse) connection.call(ApiKey.PRODUCE, PRODUCE_VERSION, request);
            again = false;
            for (PartitionProduceResponse partition :
                    response.responses().get(0).partitionResponses()) {
                again |= mustRetry(partition.errorCode(), "partition " + partition.index());
            }
        }
        batch.release();
    }

    /** Begins with sequence 0, because each EndTxn raises the epoch. */
    private ByteBuf batch() {
        long now = System.currentTimeMillis();
        try (RecordBatchBuilder builder = new RecordBatchBuilder(UnpooledByteBufAllocator.DEFAULT)) {
            builder.producer(producerId, epoch, 0).transactional();
            for (int i = 0; i < recordsPerBatch; i++) {
                builder.append(now, null, value);
            }
            return builder.build();
        }
    }

    void end(boolean commits) throws IOException {
        EndTxnRequest request = new EndTxnRequest()
                .transactionalId(id)
                .producerId(producerId)
                .producerEpoch(epoch)
                .committed(commits);
        EndTxnResponse response;
        do {
            response = (EndTxnResponse) connection.call(ApiKey.END_TXN, END_VERSION, request);
        } while (mustRetry(response.errorCode(), "an end"));
        producerId = response.producerId();
        epoch = response.producerEpoch();
    }

    /**
     * Returns true after a pause if the request must be sent again. Kafka responds to EndTxn before it has written the
     * markers, and its coordinator needs some time after the first request.
     */
    private static boolean mustRetry(short error, String what) {
        if (error == CONCURRENT_TRANSACTIONS
                || error == LOADING
                || error == NOT_AVAILABLE
                || error == NOT_COORDINATOR) {
            LockSupport.parkNanos(BETWEEN_TRIES_NANOS);
            return true;
        }
        if (error != NONE) {
            throw new IllegalStateException(what + " has error " + error);
        }
        return false;
    }
}
