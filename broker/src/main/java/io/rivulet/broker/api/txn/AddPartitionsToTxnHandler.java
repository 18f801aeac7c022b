package io.rivulet.broker.api.txn;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.Permissions;
import io.rivulet.broker.api.coordinator.ChangeHandler;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.coordinator.Countdown;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.broker.txn.Transactions;
import io.rivulet.protocol.message.AddPartitionsToTxnRequest;
import io.rivulet.protocol.message.AddPartitionsToTxnRequest.AddPartitionsToTxnTopic;
import io.rivulet.protocol.message.AddPartitionsToTxnRequest.AddPartitionsToTxnTransaction;
import io.rivulet.protocol.message.AddPartitionsToTxnResponse;
import io.rivulet.protocol.message.AddPartitionsToTxnResponse.AddPartitionsToTxnPartitionResult;
import io.rivulet.protocol.message.AddPartitionsToTxnResponse.AddPartitionsToTxnResult;
import io.rivulet.protocol.message.AddPartitionsToTxnResponse.AddPartitionsToTxnTopicResult;
import io.rivulet.protocol.wire.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Adds partitions to transactions. */
record AddPartitionsToTxnHandler(Transactions transactions, TopicCatalogue topics)
        implements ChangeHandler<AddPartitionsToTxnRequest> {
    private static final short BATCHED_FROM_VERSION = 4;

    @Override
    public void handle(Call call, AddPartitionsToTxnRequest request) {
        short version = call.version();
        AddPartitionsToTxnResponse response = new AddPartitionsToTxnResponse();
        if (version < BATCHED_FROM_VERSION) {
            AddPartitionsToTxnTransaction only = new AddPartitionsToTxnTransaction()
                    .transactionalId(request.v3AndBelowTransactionalId())
                    .producerId(request.v3AndBelowProducerId())
                    .producerEpoch(request.v3AndBelowProducerEpoch())
                    .topics(request.v3AndBelowTopics());
            Access access = call.access();
            add(only, version, access, results -> call.answer(response.resultsByTopicV3AndBelow(results)));
            return;
        }
        List<AddPartitionsToTxnResult> all = new ArrayList<>();
        Countdown countdown = new Countdown(() -> call.answer(response.resultsByTransaction(all)));
        for (AddPartitionsToTxnTransaction one : request.transactions()) {
            AddPartitionsToTxnResult result = new AddPartitionsToTxnResult().transactionalId(one.transactionalId());
            all.add(result);
            countdown.expectOne();
            add(one, version, Access.UNLIMITED, results -> {
                result.topicResults(results);
                countdown.oneDone();
            });
        }
        countdown.allExpected();
    }

    /** Adds all partitions or none: if one is refused, the others are not attempted. */
    private void add(
            AddPartitionsToTxnTransaction one,
            short version,
            Access access,
            Consumer<List<AddPartitionsToTxnTopicResult>> reply) {
        List<Integer> queueIds = new ArrayList<>();
        boolean refused = false;
        for (AddPartitionsToTxnTopic wanted : one.topics()) {
            Topic topic = topics.find(wanted.name());
            refused |= !access.mayTopic(Operation.WRITE, wanted.name());
            for (int partition : wanted.partitions()) {
                refused |= check(topic, partition) != ErrorCode.NONE;
                queueIds.add(queueId(topic, partition));
            }
        }
        if (refused) {
            reply.accept(results(one.topics(), (name, topic, partition) -> {
                ErrorCode error = access.mayTopic(Operation.WRITE, name)
                        ? check(topic, partition)
                        : ErrorCode.TOPIC_AUTHORIZATION_FAILED;
                return error == ErrorCode.NONE ? ErrorCode.OPERATION_NOT_ATTEMPTED : error;
            }));
            return;
        }
        if (one.verifyOnly()) {
            reply.accept(results(
                    one.topics(),
                    (name, topic, partition) -> transactions
                            .coordinator()
                            .verify(
                                    one.transactionalId(),
                                    one.producerId(),
                                    one.producerEpoch(),
                                    queueId(topic, partition),
                                    version)));
            return;
        }
        transactions
                .coordinator()
                .add(
                        one.transactionalId(),
                        one.producerId(),
                        one.producerEpoch(),
                        queueIds.stream().mapToInt(Integer::intValue).toArray(),
                        version,
                        error -> reply.accept(results(one.topics(), error)));
    }

    private static ErrorCode check(@Nullable Topic topic, int partition) {
        if (topic != null && topic.isInternal()) {
            return ErrorCode.INVALID_TOPIC_EXCEPTION; // the end of the transaction would write a marker there
        }
        return queueId(topic, partition) == Topic.NO_QUEUE ? ErrorCode.UNKNOWN_TOPIC_OR_PARTITION : ErrorCode.NONE;
    }

    private static int queueId(@Nullable Topic topic, int partition) {
        return topic == null ? Topic.NO_QUEUE : topic.queueId(partition);
    }

    /** The result of one partition. */
    @FunctionalInterface
    private interface Result {
        ErrorCode of(String name, @Nullable Topic topic, int partition);
    }

    private List<AddPartitionsToTxnTopicResult> results(List<AddPartitionsToTxnTopic> wanted, ErrorCode error) {
        return results(wanted, (name, topic, partition) -> error);
    }

    private List<AddPartitionsToTxnTopicResult> results(List<AddPartitionsToTxnTopic> wanted, Result result) {
        List<AddPartitionsToTxnTopicResult> results = new ArrayList<>();
        for (AddPartitionsToTxnTopic topic : wanted) {
            Topic found = topics.find(topic.name());
            List<AddPartitionsToTxnPartitionResult> partitions = new ArrayList<>();
            for (int partition : topic.partitions()) {
                partitions.add(new AddPartitionsToTxnPartitionResult()
                        .partitionIndex(partition)
                        .partitionErrorCode(
                                result.of(topic.name(), found, partition).code()));
            }
            results.add(new AddPartitionsToTxnTopicResult().name(topic.name()).resultsByPartition(partitions));
        }
        return results;
    }

    @Override
    public Message refuse(AddPartitionsToTxnRequest request, short version, ErrorCode error) {
        return version < BATCHED_FROM_VERSION
                ? new AddPartitionsToTxnResponse().resultsByTopicV3AndBelow(results(request.v3AndBelowTopics(), error))
                : new AddPartitionsToTxnResponse().errorCode(error.code());
    }

    /** Newer versions come from brokers, which have checked the rights of their clients. */
    @Override
    public ErrorCode check(Access access, AddPartitionsToTxnRequest request, short version) {
        if (version < BATCHED_FROM_VERSION) {
            return Permissions.transaction(access, Operation.WRITE, request.v3AndBelowTransactionalId());
        }
        return access.mayCluster(Operation.CLUSTER_ACTION) ? ErrorCode.NONE : ErrorCode.CLUSTER_AUTHORIZATION_FAILED;
    }
}
