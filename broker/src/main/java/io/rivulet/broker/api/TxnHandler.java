package io.rivulet.broker.api;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.LongAnswers;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.group.GroupOffsets;
import io.rivulet.broker.group.LongQuestions.Question;
import io.rivulet.broker.group.OneByOne;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.broker.txn.Transactions;
import io.rivulet.broker.txn.Transactions.Description;
import io.rivulet.broker.txn.TxnCoordinator;
import io.rivulet.protocol.message.AddOffsetsToTxnRequest;
import io.rivulet.protocol.message.AddOffsetsToTxnResponse;
import io.rivulet.protocol.message.AddPartitionsToTxnRequest;
import io.rivulet.protocol.message.DescribeTransactionsRequest;
import io.rivulet.protocol.message.DescribeTransactionsResponse;
import io.rivulet.protocol.message.DescribeTransactionsResponse.TopicData;
import io.rivulet.protocol.message.DescribeTransactionsResponse.TransactionState;
import io.rivulet.protocol.message.EndTxnRequest;
import io.rivulet.protocol.message.InitProducerIdRequest;
import io.rivulet.protocol.message.ListTransactionsRequest;
import io.rivulet.protocol.message.ListTransactionsResponse;
import io.rivulet.protocol.message.TxnOffsetCommitRequest;
import io.rivulet.protocol.message.WriteTxnMarkersRequest;
import io.rivulet.protocol.wire.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The APIs of transactions: takes each call to the thread that owns them; what is long goes on from there on a read thread. */
public final class TxnHandler {
    private static final Logger LOG = LoggerFactory.getLogger(TxnHandler.class);
    private final Transactions transactions;
    private final TxnPartitions partitions;
    private final TopicCatalogue topics;
    private final LongAnswers longAnswers;
    private final LongSupplier stampMillis;

    public TxnHandler(
            Transactions transactions, TopicCatalogue topics, LongAnswers longAnswers, LongSupplier stampMillis) {
        this.transactions = transactions;
        this.partitions = new TxnPartitions(transactions, topics);
        this.topics = topics;
        this.longAnswers = longAnswers;
        this.stampMillis = stampMillis;
    }

    void handle(Call call) {
        if (!transactions.offer(() -> run(call))) {
            call.answer(turnedAway(call));
        }
    }

    /** On the thread that owns the transactions. */
    private void run(Call call) {
        try {
            if (isQuestion(call)) {
                ask(call);
            } else if (transactions.isBehind()) {
                call.answer(turnedAway(call));
            } else {
                dispatch(call);
            }
        } catch (RuntimeException e) {
            if (!isQuestion(call)) {
                throw e; // what it has left half-changed can't be trusted
            }
            LOG.error("{} failed", call.key(), e);
            call.fail("a request about transactions failed");
        }
    }

    /** It changes nothing. */
    private static boolean isQuestion(Call call) {
        return switch (call.key()) {
            case LIST_TRANSACTIONS, DESCRIBE_TRANSACTIONS -> true;
            default -> false;
        };
    }

    private void dispatch(Call call) {
        TxnCoordinator coordinator = transactions.coordinator();
        short version = call.version();
        Message body = call.body();
        switch (call.key()) {
            case INIT_PRODUCER_ID -> coordinator.init((InitProducerIdRequest) body, version, call::answer);
            case ADD_PARTITIONS_TO_TXN -> partitions.add((AddPartitionsToTxnRequest) body, version, call::answer);
            case ADD_OFFSETS_TO_TXN ->
                coordinator.addOffsets(
                        (AddOffsetsToTxnRequest) body,
                        version,
                        error -> call.answer(new AddOffsetsToTxnResponse().errorCode(error.code())));
            case TXN_OFFSET_COMMIT -> coordinator.commitOffsets((TxnOffsetCommitRequest) body, version, call::answer);
            case END_TXN -> coordinator.end((EndTxnRequest) body, version, call::answer);
            case WRITE_TXN_MARKERS -> partitions.mark((WriteTxnMarkersRequest) body, call::answer);
            default -> throw new IllegalStateException(call.key() + " is not about transactions");
        }
    }

    /** Clients take it for a coordinator that is not ready yet, and come again. */
    private static Message turnedAway(Call call) {
        ErrorCode error = ErrorCode.COORDINATOR_LOAD_IN_PROGRESS;
        return switch (call.key()) {
            case INIT_PRODUCER_ID -> TxnCoordinator.refused(error);
            case ADD_PARTITIONS_TO_TXN ->
                TxnPartitions.refused((AddPartitionsToTxnRequest) call.body(), call.version(), error);
            case ADD_OFFSETS_TO_TXN -> new AddOffsetsToTxnResponse().errorCode(error.code());
            case TXN_OFFSET_COMMIT -> GroupOffsets.refused((TxnOffsetCommitRequest) call.body(), error);
            case END_TXN -> TxnCoordinator.refusedEnd(error);
            case WRITE_TXN_MARKERS -> TxnPartitions.refused((WriteTxnMarkersRequest) call.body(), error);
            case LIST_TRANSACTIONS -> new ListTransactionsResponse().errorCode(error.code());
            case DESCRIBE_TRANSACTIONS ->
                new DescribeTransactionsResponse()
                        .transactionStates(((DescribeTransactionsRequest) call.body())
                                .transactionalIds().stream()
                                        .map(id -> new TransactionState()
                                                .transactionalId(id)
                                                .errorCode(error.code()))
                                        .toList());
            default -> throw new IllegalStateException(call.key() + " is not about transactions");
        };
    }

    // ---- administrators ----

    private void ask(Call call) {
        Question<LongAnswers.Maker> question = call.body() instanceof ListTransactionsRequest listing
                ? new TransactionListing(listing, call.version(), transactions, stampMillis)
                : describe((DescribeTransactionsRequest) call.body());
        AskingCall<LongAnswers.Maker> asker =
                new AskingCall<>(call, made -> longAnswers.make(call, made), transactions::answered);
        if (!transactions.questions().ask(question, asker)) {
            call.answer(turnedAway(call));
        }
    }

    /** Each id once, however often it is named: its partitions may be many. */
    private Question<LongAnswers.Maker> describe(DescribeTransactionsRequest request) {
        List<TransactionState> told = new ArrayList<>();
        List<Description> found = new ArrayList<>();
        return new OneByOne<>(
                List.copyOf(new LinkedHashSet<>(request.transactionalIds())),
                transactions::queueCount,
                name -> {
                    Description one = name.isEmpty() ? null : transactions.describe(name);
                    if (one == null) {
                        told.add(unknown(name));
                    } else {
                        found.add(one);
                    }
                },
                () -> reader -> describe(told, found));
    }

    private static TransactionState unknown(String name) {
        ErrorCode error = name.isEmpty() ? ErrorCode.INVALID_REQUEST : ErrorCode.TRANSACTIONAL_ID_NOT_FOUND;
        return new TransactionState().transactionalId(name).errorCode(error.code());
    }

    private Message describe(List<TransactionState> told, List<Description> found) {
        Map<Integer, TopicData> names = new HashMap<>();
        topicsOf(found, names);
        for (Description one : found) {
            told.add(tell(one, names));
        }
        return new DescribeTransactionsResponse().transactionStates(told);
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

    private static TransactionState tell(Description one, Map<Integer, TopicData> names) {
        Map<String, List<Integer>> byTopic = new HashMap<>();
        for (int queueId : one.queueIds()) {
            @Nullable TopicData named = names.get(queueId);
            if (named != null && !named.topic().isEmpty()) {
                byTopic.computeIfAbsent(named.topic(), name -> new ArrayList<>())
                        .add(named.partitions()[0]);
            }
        }
        List<TopicData> told = new ArrayList<>();
        byTopic.forEach((name, numbers) -> told.add(new TopicData()
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
                .topics(told);
    }
}
