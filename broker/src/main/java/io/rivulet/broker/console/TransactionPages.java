package io.rivulet.broker.console;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.http.HttpExchange;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.DescribeProducersRequest;
import io.rivulet.protocol.message.DescribeProducersResponse;
import io.rivulet.protocol.message.DescribeProducersResponse.PartitionResponse;
import io.rivulet.protocol.message.DescribeTransactionsRequest;
import io.rivulet.protocol.message.DescribeTransactionsResponse;
import io.rivulet.protocol.message.DescribeTransactionsResponse.TransactionState;
import io.rivulet.protocol.message.ListTransactionsRequest;
import io.rivulet.protocol.message.ListTransactionsResponse;
import java.util.List;
import java.util.Locale;

/** Transactional ids with their transactions, and the producers of a partition. Thread-safe. */
record TransactionPages(BrokerCalls calls) {
    private static final int PAGE_ROWS = 100;
    private static final int MOST_TOPICS = 20;

    // ---- transactions ----

    void list(HttpExchange exchange) {
        String part = ConsoleApi.optional(exchange, "search").toLowerCase(Locale.ROOT);
        String after = ConsoleApi.optional(exchange, "after");
        ListTransactionsRequest request = new ListTransactionsRequest();
        if (ConsoleApi.optional(exchange, "open").equals("true")) {
            request.stateFilters(List.of("Ongoing", "PrepareCommit", "PrepareAbort"));
        }
        calls.ask(exchange, ApiKey.LIST_TRANSACTIONS, 1, request, ListTransactionsResponse.class, listed -> {
            BrokerCalls.require(listed.errorCode(), null);
            List<String> all = listed.transactionStates().stream()
                    .map(ListTransactionsResponse.TransactionState::transactionalId)
                    .filter(id -> id.toLowerCase(Locale.ROOT).contains(part))
                    .toList();
            List<String> later = all.stream()
                    .filter(id -> after.isEmpty() || id.compareTo(after) > 0)
                    .sorted()
                    .limit(PAGE_ROWS + 1L)
                    .toList();
            describe(exchange, all.size(), later);
        });
    }

    private void describe(HttpExchange exchange, int count, List<String> ids) {
        List<String> shown = ids.subList(0, Math.min(PAGE_ROWS, ids.size()));
        DescribeTransactionsRequest request = new DescribeTransactionsRequest().transactionalIds(shown);
        calls.ask(exchange, ApiKey.DESCRIBE_TRANSACTIONS, 0, request, DescribeTransactionsResponse.class, described -> {
            JsonWriter json = new JsonWriter()
                    .object()
                    .field("count", count)
                    .field("more", ids.size() > shown.size())
                    .key("rows")
                    .array();
            described.transactionStates().stream()
                    .filter(one -> one.errorCode() == ErrorCode.NONE.code())
                    .forEach(one -> transaction(json, one));
            exchange.answer(ConsoleApi.json(json.endArray().endObject()));
        });
    }

    private static void transaction(JsonWriter json, TransactionState one) {
        json.object()
                .field("id", one.transactionalId())
                .field("state", one.transactionState())
                .field("producer", one.producerId())
                .field("epoch", one.producerEpoch())
                .field("timeoutMillis", one.transactionTimeoutMs())
                .field("began", one.transactionStartTimeMs())
                .field("topicCount", one.topics().size())
                .key("topics")
                .array();
        one.topics().stream()
                .limit(MOST_TOPICS)
                .forEach(of -> json.object()
                        .field("topic", of.topic())
                        .field("partitions", of.partitions().length)
                        .endObject());
        json.endArray().endObject();
    }

    // ---- producers ----

    void producers(HttpExchange exchange) {
        String topic = ConsoleApi.required(exchange, "topic");
        int partition = (int) exchange.number("partition", 0, 0, Integer.MAX_VALUE);
        DescribeProducersRequest request = new DescribeProducersRequest()
                .topics(List.of(
                        new DescribeProducersRequest.TopicRequest().name(topic).partitionIndexes(new int[] {partition
                        })));
        calls.ask(exchange, ApiKey.DESCRIBE_PRODUCERS, 0, request, DescribeProducersResponse.class, described -> {
            PartitionResponse answer = described.topics().get(0).partitions().get(0);
            if (answer.errorCode() == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code()) {
                throw ConsoleApi.notFound("topic '" + topic + "' has no partition " + partition);
            }
            BrokerCalls.require(answer.errorCode(), answer.errorMessage());
            exchange.answer(ConsoleApi.json(producers(answer)));
        });
    }

    private static JsonWriter producers(PartitionResponse answer) {
        JsonWriter json = new JsonWriter()
                .object()
                .field("count", answer.activeProducers().size())
                .key("rows")
                .array();
        answer.activeProducers().stream()
                .limit(PAGE_ROWS)
                .forEach(producer -> json.object()
                        .field("id", producer.producerId())
                        .field("epoch", producer.producerEpoch())
                        .field("sequence", producer.lastSequence())
                        .field("time", producer.lastTimestamp())
                        .field("transactionStart", producer.currentTxnStartOffset())
                        .endObject());
        return json.endArray().endObject();
    }
}
