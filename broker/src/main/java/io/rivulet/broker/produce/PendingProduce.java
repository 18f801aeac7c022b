package io.rivulet.broker.produce;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.error.ErrorMapper;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.metrics.TopicTraffic;
import io.rivulet.broker.producer.BatchRefusal;
import io.rivulet.broker.producer.SequenceGate;
import io.rivulet.broker.producer.SequenceHeader;
import io.rivulet.broker.topic.Topic;
import io.rivulet.protocol.message.ProduceResponse;
import io.rivulet.protocol.message.ProduceResponse.BatchIndexAndErrorMessage;
import io.rivulet.protocol.message.ProduceResponse.PartitionProduceResponse;
import io.rivulet.protocol.message.ProduceResponse.TopicProduceResponse;
import io.rivulet.protocol.record.RecordBatch;
import io.rivulet.protocol.record.TimestampType;
import io.rivulet.store.AppendRequest;
import io.rivulet.store.AppendRequest.Wait;
import io.rivulet.store.Outcome;
import io.rivulet.store.Store;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A produce request between its checks and its answer. All its batches are one append to the store, which reads them
 * from the request's frame. The answer is completed when the outcomes are known.
 *
 * <p>Owned by: the {@link ProduceCheck}, which fills it; then the event loop of the connection. The store owns the
 * append from submission to completion.
 */
final class PendingProduce {
    private static final long NO_OFFSET = -1;
    /** acks=all: the answer waits for the fsync. acks=0: there is no answer. */
    private static final short ALL = -1;

    private static final short NONE = 0;

    private static final short ADDS_ITSELF_FROM_VERSION = 12;

    private final Call call;
    private final Store store;
    private final short acks;
    /** A view of the frame with the same indexes. */
    private final ByteBuffer source;
    /** The same view. The frame itself is a slice of a slice, so each read of it costs several times as much. */
    private final ByteBuf bytes;

    private final AppendRequest append;
    private final List<TopicProduceResponse> topics = new ArrayList<>();
    /** The answer to each batch of the append. */
    private final List<PartitionProduceResponse> appended;

    /** Where each batch began in the source, before it became slim. */
    private final int[] batchAts;

    private boolean refusedAny;
    private final @Nullable TopicTraffic traffic;
    /** The topic of each part of the request; null if it does not exist. */
    private final @Nullable Topic[] found;

    /**
     * @param batches the largest number of batches
     * @param traffic what is counted; null if nothing is counted
     */
    PendingProduce(
            Call call, Store store, short acks, int batches, @Nullable Topic[] found, @Nullable TopicTraffic traffic) {
        this.call = call;
        this.store = store;
        this.acks = acks;
        ByteBuf frame = call.frame();
        this.source = frame.nioBuffer(0, frame.writerIndex()).slice();
        this.bytes = Unpooled.wrappedBuffer(source);
        this.append = new AppendRequest(source, acks == ALL ? Wait.DURABLE : Wait.WRITTEN, done -> completed(), batches)
                .gateFlags(call.version() >= ADDS_ITSELF_FROM_VERSION ? SequenceGate.ADDS_ITSELF : 0);
        this.appended = new ArrayList<>(batches);
        this.batchAts = new int[batches];
        this.found = found;
        this.traffic = traffic;
    }

    /** The bytes of the frame, at the same indexes. Valid as long as the frame. */
    ByteBuf bytes() {
        return bytes;
    }

    // ---- filling the append ----

    void begin(TopicProduceResponse topic, int partitions) {
        topic.partitionResponses(new ArrayList<>(partitions));
        topics.add(topic);
    }

    /** The number of topics so far. */
    int topics() {
        return topics.size();
    }

    void refuse(int partition, RefusedException refusal) {
        refuse(add(partition), refusal);
    }

    private void refuse(PartitionProduceResponse response, RefusedException refusal) {
        refusedAny = true;
        response.errorCode(refusal.code().code())
                .errorMessage(refusal.getMessage())
                .logAppendTimeMs(NO_OFFSET)
                .recordErrors(refusal.records().stream()
                        .map(record -> new BatchIndexAndErrorMessage()
                                .batchIndex(record.index())
                                .batchIndexErrorMessage(record.message()))
                        .toList());
    }

    /** @param payloadAt where the stored part of the batch begins; it ends with the batch */
    void append(int partition, int queueId, RecordBatch batch, int payloadAt) {
        PartitionProduceResponse response = add(partition);
        if (batch.timestampType() == TimestampType.LOG_APPEND_TIME) {
            response.logAppendTimeMs(batch.maxTimestamp());
        }
        int payloadBytes = batch.index() + batch.sizeInBytes() - payloadAt;
        // Not the record count: that field of the header is overwritten when a batch becomes slim.
        append.add(queueId, payloadAt, payloadBytes, batch.lastOffsetDelta() + 1, batch.maxTimestamp());
        if (payloadAt == batch.index()) {
            append.summed(batch.crcBytes(), batch.crc());
        }
        batchAts[appended.size()] = batch.index();
        appended.add(response);
    }

    private PartitionProduceResponse add(int partition) {
        PartitionProduceResponse response =
                new PartitionProduceResponse().index(partition).baseOffset(NO_OFFSET);
        topics.get(topics.size() - 1).partitionResponses().add(response);
        return response;
    }

    // ---- the append ----

    /** Submits the append. While the store has no room, the connection starts no further calls. */
    void submit() {
        if (append.count() == 0) {
            answer();
        } else if (store.hasHuge(append)) {
            submitHuge();
        } else {
            submitWritten();
        }
    }

    /** The connection starts no further calls until its huge batches are in their files. */
    private void submitHuge() {
        call.origin().pause();
        store.writeHuge(append, () -> {
            boolean alive = call.onEventLoop(() -> {
                submitWritten();
                call.origin().resume();
            });
            if (!alive) {
                call.discard();
            }
        });
    }

    private void submitWritten() {
        if (!store.append(append)) {
            call.origin().pause();
            store.whenRoom(this::retry);
        }
    }

    private void retry() {
        boolean alive = call.onEventLoop(() -> {
            if (store.append(append)) {
                call.origin().resume();
            } else {
                store.whenRoom(this::retry);
            }
        });
        if (!alive) {
            call.discard();
        }
    }

    private void completed() {
        if (!call.onEventLoop(this::settle)) {
            call.discard();
        }
    }

    // ---- the answer ----

    private void settle() {
        for (int i = 0; i < append.count(); i++) {
            settle(appended.get(i), i);
        }
        answer();
    }

    private void settle(PartitionProduceResponse response, int i) {
        Outcome outcome = append.outcome(i);
        if (outcome.isStored() || outcome == Outcome.DUPLICATE) {
            response.baseOffset(append.baseOffset(i)).logStartOffset(startOffset(append.queueId(i)));
            if (outcome == Outcome.DUPLICATE) {
                response.logAppendTimeMs(NO_OFFSET); // the append time of the first copy is not stored
            }
        } else if (outcome == Outcome.REFUSED_BY_GATE) {
            SequenceHeader refused = new SequenceHeader();
            refused.read(source, append.at(i));
            refuse(response, ErrorMapper.refusal((BatchRefusal) append.refusal(i), refused, call.version()));
        } else {
            refusedAny = true;
            response.errorCode(ErrorMapper.of(outcome).code()).logAppendTimeMs(NO_OFFSET);
        }
    }

    /** The appended batches are in the order of the answers to them, with refused ones between. */
    @SuppressWarnings("ReferenceEquality") // each answer is an object of its own
    private void count(TopicTraffic to) {
        int next = 0;
        for (int i = 0; i < topics.size(); i++) {
            List<PartitionProduceResponse> partitions = topics.get(i).partitionResponses();
            long messages = 0;
            long bytes = 0;
            int failed = 0;
            for (PartitionProduceResponse partition : partitions) {
                failed += partition.errorCode() == NONE ? 0 : 1;
                if (next < appended.size() && appended.get(next) == partition) {
                    if (append.outcome(next).isStored()) {
                        messages += append.recordCount(next);
                        bytes += append.at(next) + append.length(next) - batchAts[next];
                    }
                    next++;
                }
            }
            to.produced(found[i], messages, bytes, partitions.size(), failed);
        }
    }

    private long startOffset(int queueId) {
        return store.exists(queueId) ? store.startOffset(queueId) : NO_OFFSET;
    }

    private void answer() {
        if (traffic != null) {
            count(traffic);
        }
        if (acks != NONE) {
            call.answer(new ProduceResponse().responses(topics));
            return;
        }
        if (refusedAny) {
            // A producer with acks=0 notices nothing else.
            call.origin().close("a batch with acks=0 was refused");
        }
        call.discard();
    }
}
