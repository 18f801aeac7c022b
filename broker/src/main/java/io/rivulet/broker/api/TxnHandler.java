package io.rivulet.broker.api;

import com.google.re2j.Pattern;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.fetch.ReadPool;
import io.rivulet.broker.group.GroupOffsets;
import io.rivulet.broker.regex.Regexes;
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
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The APIs of transactions: takes each call to the thread that owns them; what is long goes on from there on a read thread. */
public final class TxnHandler {
    private static final Logger LOG = LoggerFactory.getLogger(TxnHandler.class);
    private static final short DURATIONS_FROM_VERSION = 1;
    private static final Set<String> STATES =
            Set.of("Empty", "Ongoing", "PrepareCommit", "PrepareAbort", "CompleteCommit", "CompleteAbort");

    private final Transactions transactions;
    private final TxnPartitions partitions;
    private final TopicCatalogue topics;
    private final ReadPool readers;
    private final LongSupplier stampMillis;

    public TxnHandler(Transactions transactions, TopicCatalogue topics, ReadPool readers, LongSupplier stampMillis) {
        this.transactions = transactions;
        this.partitions = new TxnPartitions(transactions, topics);
        this.topics = topics;
        this.readers = readers;
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
            if (transactions.isBehind()) {
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
            case LIST_TRANSACTIONS -> {
                List<Description> all = transactions.list();
                readers.read(
                        reader -> call.answer(
                                list((ListTransactionsRequest) body, version, stampMillis.getAsLong(), all)),
                        call::failed);
            }
            case DESCRIBE_TRANSACTIONS -> describe(call, (DescribeTransactionsRequest) body);
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

    private static ListTransactionsResponse list(
            ListTransactionsRequest request, short version, long nowMillis, List<Description> all) {
        Pattern pattern;
        String regex = request.transactionalIdPattern();
        try {
            pattern = regex == null || regex.isEmpty() ? null : Regexes.compile("TransactionalIdPattern", regex);
        } catch (RefusedException e) {
            return new ListTransactionsResponse().errorCode(ErrorCode.INVALID_REGULAR_EXPRESSION.code());
        }
        Set<String> states = Set.copyOf(request.stateFilters());
        long minMillis = version >= DURATIONS_FROM_VERSION ? request.durationFilter() : -1;
        long[] producerIds = request.producerIdFilters().clone();
        Arrays.sort(producerIds);
        List<ListTransactionsResponse.TransactionState> listed = new ArrayList<>();
        for (Description one : all) {
            boolean wanted = (states.isEmpty() || states.contains(one.stateName()))
                    && (producerIds.length == 0 || Arrays.binarySearch(producerIds, one.producerId()) >= 0)
                    && (minMillis < 0 || (one.beganMillis() >= 0 && nowMillis - one.beganMillis() > minMillis))
                    && (pattern == null || pattern.matches(one.id()));
            if (wanted) {
                listed.add(new ListTransactionsResponse.TransactionState()
                        .transactionalId(one.id())
                        .producerId(one.producerId())
                        .transactionState(one.stateName()));
            }
        }
        return new ListTransactionsResponse()
                .unknownStateFilters(request.stateFilters().stream()
                        .filter(state -> !STATES.contains(state))
                        .toList())
                .transactionStates(listed);
    }

    private void describe(Call call, DescribeTransactionsRequest request) {
        List<TransactionState> told = new ArrayList<>();
        List<Description> found = new ArrayList<>();
        // Each once, however often it is named: its partitions may be many.
        for (String name : new LinkedHashSet<>(request.transactionalIds())) {
            Description one = name.isEmpty() ? null : transactions.describe(name);
            if (one == null) {
                ErrorCode error = name.isEmpty() ? ErrorCode.INVALID_REQUEST : ErrorCode.TRANSACTIONAL_ID_NOT_FOUND;
                told.add(new TransactionState().transactionalId(name).errorCode(error.code()));
            } else {
                found.add(one);
            }
        }
        readers.read(
                reader -> {
                    Map<Integer, TopicData> names = new HashMap<>();
                    topicsOf(found, names);
                    for (Description one : found) {
                        told.add(tell(one, names));
                    }
                    call.answer(new DescribeTransactionsResponse().transactionStates(told));
                },
                call::failed);
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
