package io.rivulet.broker.api.partition;

import io.rivulet.broker.call.LongAnswers;
import io.rivulet.broker.call.ReadPool;
import io.rivulet.broker.call.Route;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.producer.SequenceGate;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.broker.txn.QueueHistories;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.store.Store;
import java.util.List;

/** The routes of what a partition holds, besides producing and fetching. */
public final class PartitionApis {
    private PartitionApis() {}

    public static List<Route> routes(
            BrokerConfig config,
            Store store,
            TopicCatalogue topics,
            SequenceGate producers,
            QueueHistories histories,
            ReadPool readers,
            LongAnswers longAnswers) {
        return List.of(
                Route.of(
                        ApiKey.LIST_OFFSETS,
                        new ListOffsetsHandler(
                                store, histories, topics, readers, longAnswers, config.maxDecompressedBytes())),
                Route.of(ApiKey.OFFSET_FOR_LEADER_EPOCH, new OffsetForLeaderEpochHandler(store, topics)),
                Route.of(ApiKey.DELETE_RECORDS, new DeleteRecordsHandler(store, topics)),
                Route.of(
                        ApiKey.DESCRIBE_LOG_DIRS,
                        new DescribeLogDirsHandler(store, topics, longAnswers, config.dataDirectory())),
                Route.of(
                        ApiKey.DESCRIBE_PRODUCERS,
                        new DescribeProducersHandler(producers, histories, topics, longAnswers)));
    }
}
