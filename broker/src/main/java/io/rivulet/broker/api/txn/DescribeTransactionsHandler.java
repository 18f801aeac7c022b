package io.rivulet.broker.api.txn;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.coordinator.QuestionHandler;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.LongAnswers;
import io.rivulet.broker.coordinator.LongQuestions.Question;
import io.rivulet.broker.coordinator.OneByOne;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.broker.txn.Transactions;
import io.rivulet.broker.txn.Transactions.Description;
import io.rivulet.protocol.message.DescribeTransactionsRequest;
import io.rivulet.protocol.message.DescribeTransactionsResponse;
import io.rivulet.protocol.message.DescribeTransactionsResponse.TopicData;
import io.rivulet.protocol.message.DescribeTransactionsResponse.TransactionState;
import io.rivulet.protocol.wire.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Describes transactional ids and the partitions of their transactions. */
record DescribeTransactionsHandler(Transactions transactions, TopicCatalogue topics, LongAnswers longAnswers)
        implements QuestionHandler<DescribeTransactionsRequest, LongAnswers.Maker> {
    /** Describes each id once, because it may have many partitions. */
    @Override
    public Question<LongAnswers.Maker> question(DescribeTransactionsRequest request, short version, Access access) {
        List<TransactionState> states = new ArrayList<>();
        List<Description> found = new ArrayList<>();
        return new OneByOne<>(
                List.copyOf(new LinkedHashSet<>(request.transactionalIds())),
                transactions::queueCount,
                name -> {
                    boolean allowed = access.mayTransactionalId(Operation.DESCRIBE, name);
                    Description one = !allowed || name.isEmpty() ? null : transactions.describe(name);
                    if (!allowed) {
                        states.add(state(name, ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED));
                    } else if (one == null) {
                        states.add(unknown(name));
                    } else {
                        found.add(one);
                    }
                },
                () -> reader -> describe(states, found, access));
    }

    private static TransactionState unknown(String name) {
        return state(name, name.isEmpty() ? ErrorCode.INVALID_REQUEST : ErrorCode.TRANSACTIONAL_ID_NOT_FOUND);
    }

    private static TransactionState state(String name, ErrorCode error) {
        return new TransactionState().transactionalId(name).errorCode(error.code());
    }

    @Override
    public void answer(Call call, LongAnswers.Maker answer) {
        longAnswers.make(call, 0, answer);
    }

    @Override
    public Message refuse(DescribeTransactionsRequest request, short version, ErrorCode error) {
        return new DescribeTransactionsResponse()
                .transactionStates(request.transactionalIds().stream()
                        .map(name -> state(name, error))
                        .toList());
    }

    private Message describe(List<TransactionState> states, List<Description> found, Access access) {
        Map<Integer, Partition> partitions = partitionsOf(found);
        for (Description one : found) {
            states.add(state(one, partitions, access));
        }
        return new DescribeTransactionsResponse().transactionStates(states);
    }

    private record Partition(String topic, int index) {}

    /** The partitions by queue. Visits all topics: no other API needs the topic of a queue, so there is no index. */
    private Map<Integer, Partition> partitionsOf(List<Description> found) {
        Set<Integer> wanted = new HashSet<>();
        found.forEach(one -> wanted.addAll(one.queueIds()));
        Map<Integer, Partition> partitions = new HashMap<>();
        if (!wanted.isEmpty()) {
            topics.forEach(topic -> {
                for (int index = 0; index < topic.partitionCount(); index++) {
                    int queueId = topic.queueId(index);
                    if (wanted.contains(queueId)) {
                        partitions.put(queueId, new Partition(topic.name(), index));
                    }
                }
            });
        }
        return partitions;
    }

    /** Without the topics that the client may not describe. */
    private static TransactionState state(Description one, Map<Integer, Partition> partitions, Access access) {
        Map<String, List<Integer>> byTopic = new HashMap<>();
        for (int queueId : one.queueIds()) {
            Partition partition = partitions.get(queueId);
            if (partition != null) {
                byTopic.computeIfAbsent(partition.topic, name -> new ArrayList<>())
                        .add(partition.index);
            }
        }
        byTopic.keySet().removeIf(name -> !access.mayTopic(Operation.DESCRIBE, name));
        List<TopicData> data = new ArrayList<>();
        byTopic.forEach((name, numbers) -> data.add(new TopicData()
                .topic(name)
                .partitions(
                        numbers.stream().mapToInt(Integer::intValue).sorted().toArray())));
        return new TransactionState()
                .transactionalId(one.id())
                .transactionState(one.stateName())
                .transactionTimeoutMs(one.timeoutMillis())
                .transactionStartTimeMs(one.beganMillis())
                .producerId(one.producerId())
                .producerEpoch(one.epoch())
                .topics(data);
    }
}
