package io.rivulet.broker.tool;

import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.ClientException;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.DescribeClusterRequest;
import io.rivulet.protocol.message.DescribeClusterResponse;
import io.rivulet.protocol.message.DescribeProducersRequest;
import io.rivulet.protocol.message.DescribeProducersRequest.TopicRequest;
import io.rivulet.protocol.message.DescribeProducersResponse;
import io.rivulet.protocol.message.DescribeProducersResponse.PartitionResponse;
import io.rivulet.protocol.message.DescribeProducersResponse.ProducerState;
import io.rivulet.protocol.message.DescribeTransactionsRequest;
import io.rivulet.protocol.message.DescribeTransactionsResponse;
import io.rivulet.protocol.message.DescribeTransactionsResponse.TransactionState;
import io.rivulet.protocol.message.InitProducerIdRequest;
import io.rivulet.protocol.message.InitProducerIdResponse;
import io.rivulet.protocol.message.ListTransactionsRequest;
import io.rivulet.protocol.message.ListTransactionsResponse;
import io.rivulet.protocol.message.WriteTxnMarkersRequest;
import io.rivulet.protocol.message.WriteTxnMarkersRequest.WritableTxnMarker;
import io.rivulet.protocol.message.WriteTxnMarkersRequest.WritableTxnMarkerTopic;
import io.rivulet.protocol.message.WriteTxnMarkersResponse;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "transactions", description = "List, describe or end transactions, as kafka-transactions.sh does.")
public final class TransactionsTool extends DataTool {
    private static final Output.Table LISTED =
            new Output.Table("%-30s %-15s %-15s %s%n", "", "transactionalId,coordinatorId,producerId,transactionState");
    private static final Output.Table DESCRIBED = new Output.Table(
            "%-15s %-30s %-12s %-15s %-20s %-20s %-30s %-22s %s%n",
            "None",
            "coordinatorId,transactionalId,producerId,producerEpoch,transactionState,transactionTimeoutMs,"
                    + "currentTransactionStartTimeMs,transactionDurationMs,topicPartitions");
    private static final Output.Table PRODUCERS = new Output.Table(
            "%-12s %-15s %-25s %-14s %-15s %s%n",
            "None",
            "producerId,producerEpoch,latestCoordinatorEpoch,lastSequence,lastTimestamp,"
                    + "currentTransactionStartOffset");

    private static final int NO_EPOCH = -1;

    @Parameters(
            paramLabel = "list|describe|describe-producers|abort|force-terminate",
            description = "what to do; abort ends the transaction in one partition, force-terminate ends all of it")
    private String action;

    @Option(names = "--transactional-id", paramLabel = "id", description = "with describe, force-terminate: the id")
    private @Nullable String transactionalId;

    @Option(names = "--topic", paramLabel = "name", description = "with describe-producers, abort: the topic")
    private @Nullable String topic;

    @Option(names = "--partition", paramLabel = "n", description = "with describe-producers, abort: the partition")
    private @Nullable Integer partition;

    @Option(names = "--start-offset", paramLabel = "n", description = "with abort: the transaction's first offset")
    private @Nullable Long startOffset;

    @Option(names = "--duration-filter", paramLabel = "millis", description = "with list: only longer transactions")
    private long longerThanMillis = -1;

    @Override
    void run(BrokerConnection broker, Output out) {
        switch (action) {
            case "list" -> list(broker, out);
            case "describe" -> describe(broker, out);
            case "describe-producers" -> describeProducers(broker, out);
            case "abort" -> abort(broker);
            case "force-terminate", "forceTerminateTransaction" -> terminate(broker);
            default ->
                throw misused(action + " is not one of list, describe, describe-producers, abort, force-terminate");
        }
    }

    private static int coordinator(BrokerConnection broker) {
        return broker.ask(ApiKey.DESCRIBE_CLUSTER, new DescribeClusterRequest(), DescribeClusterResponse.class)
                .controllerId();
    }

    private void list(BrokerConnection broker, Output out) {
        int coordinator = coordinator(broker);
        ListTransactionsResponse response = broker.ask(
                ApiKey.LIST_TRANSACTIONS,
                new ListTransactionsRequest().durationFilter(longerThanMillis),
                ListTransactionsResponse.class);
        ClientException.require(response.errorCode(), null, "listing transactions");
        out.printf(LISTED.format(), "TransactionalId", "Coordinator", "ProducerId", "TransactionState");
        response.transactionStates()
                .forEach(each -> out.row(
                        LISTED, each.transactionalId(), coordinator, each.producerId(), each.transactionState()));
    }

    private void describe(BrokerConnection broker, Output out) {
        TransactionState found = broker.ask(
                        ApiKey.DESCRIBE_TRANSACTIONS,
                        new DescribeTransactionsRequest()
                                .transactionalIds(List.of(required(transactionalId, "--transactional-id"))),
                        DescribeTransactionsResponse.class)
                .transactionStates()
                .get(0);
        ClientException.require(found.errorCode(), null, "describing transactional id " + transactionalId);
        out.printf(
                DESCRIBED.format(),
                "CoordinatorId",
                "TransactionalId",
                "ProducerId",
                "ProducerEpoch",
                "TransactionState",
                "TransactionTimeoutMs",
                "CurrentTransactionStartTimeMs",
                "TransactionDurationMs",
                "TopicPartitions");
        long started = found.transactionStartTimeMs();
        out.row(
                DESCRIBED,
                coordinator(broker),
                found.transactionalId(),
                found.producerId(),
                found.producerEpoch(),
                found.transactionState(),
                found.transactionTimeoutMs(),
                started < 0 ? null : started,
                started < 0 ? null : System.currentTimeMillis() - started,
                found.topics().stream()
                        .flatMap(each -> Arrays.stream(each.partitions()).mapToObj(index -> each.topic() + "-" + index))
                        .collect(Collectors.joining(",")));
    }

    private List<ProducerState> producers(BrokerConnection broker) {
        PartitionResponse response = broker.ask(
                        ApiKey.DESCRIBE_PRODUCERS,
                        new DescribeProducersRequest()
                                .topics(List.of(new TopicRequest()
                                        .name(required(topic, "--topic"))
                                        .partitionIndexes(index()))),
                        DescribeProducersResponse.class)
                .topics()
                .get(0)
                .partitions()
                .get(0);
        ClientException.require(response.errorCode(), response.errorMessage(), "describing producers of " + topic);
        return response.activeProducers();
    }

    private int[] index() {
        if (partition == null) {
            throw misused("Missing required option: '--partition'");
        }
        return new int[] {partition};
    }

    private void describeProducers(BrokerConnection broker, Output out) {
        List<ProducerState> producers = producers(broker);
        out.printf(
                PRODUCERS.format(),
                "ProducerId",
                "ProducerEpoch",
                "LatestCoordinatorEpoch",
                "LastSequence",
                "LastTimestamp",
                "CurrentTransactionStartOffset");
        producers.forEach(producer -> out.row(
                PRODUCERS,
                producer.producerId(),
                producer.producerEpoch(),
                producer.coordinatorEpoch(),
                producer.lastSequence(),
                producer.lastTimestamp(),
                producer.currentTxnStartOffset() < 0 ? null : producer.currentTxnStartOffset()));
    }

    private void abort(BrokerConnection broker) {
        if (startOffset == null) {
            throw misused("Missing required option: '--start-offset'");
        }
        long begin = startOffset;
        ProducerState producer = producers(broker).stream()
                .filter(each -> each.currentTxnStartOffset() == begin)
                .findFirst()
                .orElseThrow(() -> new ClientException(
                        "no open transaction of " + topic + "-" + partition + " starts at offset " + begin));
        broker.ask(
                        ApiKey.WRITE_TXN_MARKERS,
                        new WriteTxnMarkersRequest()
                                .markers(List.of(new WritableTxnMarker()
                                        .producerId(producer.producerId())
                                        .producerEpoch((short) producer.producerEpoch())
                                        .coordinatorEpoch(Math.max(0, producer.coordinatorEpoch()))
                                        .transactionResult(false)
                                        .topics(List.of(new WritableTxnMarkerTopic()
                                                .name(required(topic, "--topic"))
                                                .partitionIndexes(index()))))),
                        WriteTxnMarkersResponse.class)
                .markers()
                .forEach(marker -> marker.topics()
                        .forEach(each -> each.partitions()
                                .forEach(result -> ClientException.require(
                                        result.errorCode(), null, "aborting the transaction in " + topic))));
    }

    /** A new epoch of the producer ends its transaction. */
    private void terminate(BrokerConnection broker) {
        InitProducerIdResponse response = broker.ask(
                ApiKey.INIT_PRODUCER_ID,
                new InitProducerIdRequest()
                        .transactionalId(required(transactionalId, "--transactional-id"))
                        .transactionTimeoutMs(1)
                        .producerEpoch((short) NO_EPOCH),
                InitProducerIdResponse.class);
        ClientException.require(response.errorCode(), null, "ending the transaction of " + transactionalId);
    }
}
