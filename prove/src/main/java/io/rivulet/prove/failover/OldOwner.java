package io.rivulet.prove.failover;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.ClientException;
import io.rivulet.broker.client.ClientSettings;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.CreateTopicsRequest;
import io.rivulet.protocol.message.CreateTopicsResponse;
import io.rivulet.protocol.message.OffsetCommitRequest;
import io.rivulet.protocol.message.OffsetCommitRequest.OffsetCommitRequestPartition;
import io.rivulet.protocol.message.OffsetCommitRequest.OffsetCommitRequestTopic;
import io.rivulet.protocol.message.OffsetCommitResponse;
import io.rivulet.protocol.message.OffsetFetchRequest;
import io.rivulet.protocol.message.OffsetFetchRequest.OffsetFetchRequestGroup;
import io.rivulet.protocol.message.OffsetFetchRequest.OffsetFetchRequestTopics;
import io.rivulet.protocol.message.OffsetFetchResponse;
import io.rivulet.protocol.message.OffsetFetchResponse.OffsetFetchResponsePartitions;
import io.rivulet.protocol.message.ProduceRequest;
import io.rivulet.protocol.message.ProduceResponse;
import io.rivulet.protocol.message.ProduceResponse.PartitionProduceResponse;
import io.rivulet.protocol.record.RecordBatchBuilder;
import io.rivulet.protocol.wire.Message;
import io.rivulet.protocol.wire.Records;
import io.rivulet.prove.load.Clients;
import io.rivulet.prove.load.Target;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Questions that lie in the sockets of an owner while it is paused, and that it finds when it goes on and another one
 * has taken over. It must neither answer from its old state, nor acknowledge what the new owner does not have.
 *
 * <p>Owned by: one thread.
 */
final class OldOwner {
    private static final String TOPIC = "of-the-old-owner";
    private static final String GROUP = "of-the-old-owner";
    /** The last ones with names of topics. */
    private static final short OFFSETS_VERSION = 9;

    private static final short PRODUCE_VERSION = 9;
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** By offset. */
    private final TreeMap<Long, String> acknowledged = new TreeMap<>();

    private final List<String> violations = new ArrayList<>();
    private long committed;
    private int sent;

    /** Two connections: one that is answered from state, one that appends. Owned by: one thread. */
    final class Questions implements AutoCloseable {
        private final RawConnection state;
        private final RawConnection appends;

        private Questions(int port) throws IOException {
            state = new RawConnection(port);
            appends = new RawConnection(port);
        }

        /** The owner is paused, and another one serves. */
        void ask(int portOfNewOwner) throws IOException {
            commit(portOfNewOwner);
            state.send(ApiKey.OFFSET_FETCH, OFFSETS_VERSION, fetch());
            ByteBuf batch = batch("old-" + sent++);
            try {
                appends.send(ApiKey.PRODUCE, PRODUCE_VERSION, produce(batch));
            } finally {
                batch.release();
            }
        }

        /** It goes on. */
        void judge() {
            check(state.answer(ApiKey.OFFSET_FETCH, OFFSETS_VERSION));
            if (appends.answer(ApiKey.PRODUCE, PRODUCE_VERSION) instanceof ProduceResponse response) {
                PartitionProduceResponse answer =
                        response.responses().get(0).partitionResponses().get(0);
                if (answer.errorCode() == 0) {
                    acknowledged.put(answer.baseOffset(), "old-" + (sent - 1));
                }
            }
        }

        @Override
        public void close() throws IOException {
            state.close();
            appends.close();
        }
    }

    /** Connects to the owner, before its pause. */
    Questions connect(int portOfOwner) throws IOException {
        try (BrokerConnection broker = BrokerConnection.to("localhost:" + portOfOwner, ClientSettings.PLAIN)) {
            broker.ask(
                    ApiKey.CREATE_TOPICS,
                    new CreateTopicsRequest()
                            .timeoutMs(10_000)
                            .topics(List.of(new CreateTopicsRequest.CreatableTopic()
                                    .name(TOPIC)
                                    .numPartitions(1)
                                    .replicationFactor((short) 1))),
                    CreateTopicsResponse.class);
        } catch (ClientException e) {
            // It is no owner any more, or the topic is there: the next answer says what there is.
        }
        commit(portOfOwner);
        Questions questions = new Questions(portOfOwner);
        questions.state.send(ApiKey.OFFSET_FETCH, OFFSETS_VERSION, fetch());
        check(questions.state.answer(ApiKey.OFFSET_FETCH, OFFSETS_VERSION));
        return questions;
    }

    private void commit(int port) {
        OffsetCommitRequest request = new OffsetCommitRequest()
                .groupId(GROUP)
                .topics(List.of(new OffsetCommitRequestTopic()
                        .name(TOPIC)
                        .partitions(List.of(new OffsetCommitRequestPartition().committedOffset(++committed)))));
        long endNanos = System.nanoTime() + PATIENCE_NANOS;
        while (!isCommitted(port, request)) {
            if (System.nanoTime() - endNanos > 0) {
                throw new IllegalStateException("no offset can be committed");
            }
            LockSupport.parkNanos(RETRY_NANOS);
        }
    }

    private static boolean isCommitted(int port, OffsetCommitRequest request) {
        try (BrokerConnection broker = BrokerConnection.to("localhost:" + port, ClientSettings.PLAIN)) {
            return broker.ask(ApiKey.OFFSET_COMMIT, OFFSETS_VERSION, request, OffsetCommitResponse.class)
                            .topics()
                            .get(0)
                            .partitions()
                            .get(0)
                            .errorCode()
                    == 0;
        } catch (ClientException e) {
            return false;
        }
    }

    private static OffsetFetchRequest fetch() {
        return new OffsetFetchRequest()
                .groups(List.of(new OffsetFetchRequestGroup()
                        .groupId(GROUP)
                        .topics(List.of(
                                new OffsetFetchRequestTopics().name(TOPIC).partitionIndexes(new int[] {0})))));
    }

    private static ByteBuf batch(String value) {
        try (RecordBatchBuilder builder = new RecordBatchBuilder(UnpooledByteBufAllocator.DEFAULT)) {
            return builder.append(System.currentTimeMillis(), new byte[0], value.getBytes(StandardCharsets.UTF_8))
                    .build();
        }
    }

    private static ProduceRequest produce(ByteBuf batch) {
        return new ProduceRequest()
                .acks((short) -1)
                .timeoutMs(10_000)
                .topicData(List.of(new ProduceRequest.TopicProduceData()
                        .name(TOPIC)
                        .partitionData(List.of(new ProduceRequest.PartitionProduceData().records(Records.of(batch))))));
    }

    private void check(@Nullable Message answer) {
        if (answer instanceof OffsetFetchResponse response) {
            for (var group : response.groups()) {
                for (var topic : group.topics()) {
                    topic.partitions().forEach(partition -> check(group.errorCode(), partition));
                }
            }
        }
    }

    private void check(short groupError, OffsetFetchResponsePartitions partition) {
        boolean isAnswer = groupError == 0 && partition.errorCode() == 0;
        if (isAnswer && partition.committedOffset() < committed) {
            violations.add("stale answer: the committed offset was " + committed
                    + " before the question, and the answer" + " is " + partition.committedOffset());
        }
    }

    /** Returns what is wrong, of all rounds. */
    List<String> violations(Target target) {
        List<String> found = new ArrayList<>(violations);
        if (!acknowledged.isEmpty()) {
            TreeMap<Long, String> there = new TreeMap<>();
            Clients.readAll(target, Clients.partitions(TOPIC, 1), "read_uncommitted")
                    .forEach(record -> there.put(record.offset(), record.value()));
            acknowledged.forEach((offset, value) -> {
                if (!value.equals(there.get(offset))) {
                    found.add("false acknowledgement: of " + value + " at offset " + offset + ", where "
                            + there.get(offset) + " is");
                }
            });
        }
        return found;
    }
}
