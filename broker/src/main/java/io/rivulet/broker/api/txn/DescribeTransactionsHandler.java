package io.rivulet.broker.api.txn;

import io.rivulet.broker.api.coordinator.QuestionHandler;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.LongAnswers;
import io.rivulet.broker.coordinator.LongQuestions.Question;
import io.rivulet.broker.coordinator.OneByOne;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.topic.Topic;
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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Describes transactional ids, and which partitions their transactions have. */
record DescribeTransactionsHandler(Transactions transactions, TopicCatalogue topics, LongAnswers longAnswers)
        implements QuestionHandler<DescribeTransactionsRequest, LongAnswers.Maker> {
    /** Each id once, however often it is named: its partitions may be many. */
    @Override
    public Question<LongAnswers.Maker> question(DescribeTransactionsRequest request, short version) {
        List<TransactionState> states = new ArrayList<>();
        List<Description> found = new ArrayList<>();
        return new OneByOne<>(
                List.copyOf(new LinkedHashSet<>(request.transactionalIds())),
                transactions::queueCount,
                name -> {
                    Description one = name.isEmpty() ? null : transactions.describe(name);
                    if (one == null) {
                        states.add(unknown(name));
                    } else {
                        found.add(one);
                    }
                },
                () -> reader -> describe(states, found));
    }

    private static TransactionState unknown(String name) {
        return state(name, name.isEmpty() ? ErrorCode.INVALID_REQUEST : ErrorCode.TRANSACTIONAL_ID_NOT_FOUND);
    }

    private static TransactionState state(String name, ErrorCode error) {
        return new TransactionState().transactionalId(name).errorCode(error.code());
    }

    @Override
    public void answer(Call call, LongAnswers.Maker answer) {
        longAnswers.make(call, answer);
    }

    @Override
    public Message refuse(DescribeTransactionsRequest request, short version, ErrorCode error) {
        return new DescribeTransactionsResponse()
                .transactionStates(request.transactionalIds().stream()
                        .map(name -> state(name, error))
                        .toList());
    }

    private Message describe(List<TransactionState> states, List<Description> found) {
        Map<Integer, TopicData> names = new HashMap<>();
        topicsOf(found, names);
        for (Description one : found) {
            states.add(state(one, names));
        }
        return new DescribeTransactionsResponse().transactionStates(states);
    }

    /** Nobody needs it but here, so it is found by looking at all topics. */
    private void topicsOf(List<Description> found, Map<Integer, TopicData> names) {
        for (Description one : found) {
            one.queueIds().forEach(queueId -> names.put(queueId, new TopicData()));
        }
        if (!names.isEmpty()) {
            topics.forEach(topic -> nameQueues(topic, names));
        }
    }

    private static void nameQueues(Topic topic, Map<Integer, TopicData> names) {
        for (int partition = 0; partition < topic.partitionCount(); partition++) {
            TopicData named = names.get(topic.queueId(partition));
            if (named != null) {
                named.topic(topic.name()).partitions(new int[] {partition});
            }
        }
    }

    private static TransactionState state(Description one, Map<Integer, TopicData> names) {
        Map<String, List<Integer>> byTopic = new HashMap<>();
        for (int queueId : one.queueIds()) {
            @Nullable TopicData named = names.get(queueId);
            if (named != null && !named.topic().isEmpty()) {
                byTopic.computeIfAbsent(named.topic(), name -> new ArrayList<>())
                        .add(named.partitions()[0]);
            }
        }
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
