package io.rivulet.broker.api.txn;

import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.api.coordinator.CoordinatorCalls;
import io.rivulet.broker.call.Route;
import io.rivulet.broker.call.Route.Lane;
import io.rivulet.broker.call.Route.Place;
import io.rivulet.broker.producer.ProducerIds;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.broker.txn.Transactions;
import io.rivulet.protocol.message.ApiKey;
import java.util.List;
import java.util.function.LongSupplier;

/** The routes of producer ids and transactions. */
public final class TransactionApis {
    private TransactionApis() {}

    /** @param stampMillis the time that entries of the log are stamped with */
    public static List<Route> routes(
            ApiParts parts,
            Transactions transactions,
            ProducerIds producerIds,
            CoordinatorCalls calls,
            LongSupplier stampMillis) {
        TopicCatalogue topics = parts.topics();
        InitProducerIdHandler initProducerId = new InitProducerIdHandler(
                producerIds,
                parts.store(),
                calls.change(
                        (call, request) -> transactions.coordinator().init(request, call.version(), call::answer)));
        return List.of(
                Route.of(ApiKey.INIT_PRODUCER_ID, initProducerId)
                        .at(Place.COORDINATOR_THREAD)
                        .permittedBy(initProducerId)
                        .refusedBy(initProducerId)
                        .pipelined(Lane.TRANSACTIONS),
                calls.change(ApiKey.ADD_PARTITIONS_TO_TXN, new AddPartitionsToTxnHandler(transactions, topics))
                        .pipelined(Lane.TRANSACTIONS),
                calls.change(ApiKey.ADD_OFFSETS_TO_TXN, new AddOffsetsToTxnHandler(transactions))
                        .pipelined(Lane.TRANSACTIONS),
                calls.change(ApiKey.TXN_OFFSET_COMMIT, new TxnOffsetCommitHandler(transactions, topics))
                        .pipelined(Lane.WRITES),
                calls.change(ApiKey.END_TXN, new EndTxnHandler(transactions)).pipelined(Lane.TRANSACTIONS),
                calls.change(ApiKey.WRITE_TXN_MARKERS, new WriteTxnMarkersHandler(transactions, topics))
                        .pipelined(Lane.TRANSACTIONS),
                calls.question(
                        ApiKey.LIST_TRANSACTIONS,
                        new ListTransactionsHandler(transactions, parts.longAnswers(), stampMillis)),
                calls.question(
                        ApiKey.DESCRIBE_TRANSACTIONS,
                        new DescribeTransactionsHandler(transactions, topics, parts.longAnswers())));
    }
}
