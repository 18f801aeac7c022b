package io.rivulet.broker;

import io.rivulet.broker.acl.Rules;
import io.rivulet.broker.compact.RecordBatchFormat;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.config.BrokerKey;
import io.rivulet.broker.config.GroupKey;
import io.rivulet.broker.config.ShareGroupConfigs;
import io.rivulet.broker.coordinator.CoordinatorRuntime;
import io.rivulet.broker.dynamic.LiveConfig;
import io.rivulet.broker.dynamic.LiveShareGroups;
import io.rivulet.broker.environment.Environment;
import io.rivulet.broker.fetch.GrownQueues;
import io.rivulet.broker.fetch.QueueInterest;
import io.rivulet.broker.group.Groups;
import io.rivulet.broker.group.consumer.ConsumerGroupTimeouts;
import io.rivulet.broker.group.share.KnownShareGroups;
import io.rivulet.broker.group.share.ShareParts;
import io.rivulet.broker.group.streams.StreamsGroupConfigs;
import io.rivulet.broker.group.streams.StreamsParts;
import io.rivulet.broker.internal.InternalTopics;
import io.rivulet.broker.metrics.ShareFacts;
import io.rivulet.broker.node.Nodes;
import io.rivulet.broker.producer.ProducerIds;
import io.rivulet.broker.producer.SequenceGate;
import io.rivulet.broker.quota.QuotaRules;
import io.rivulet.broker.sasl.ScramUsers;
import io.rivulet.broker.share.RecordedStates;
import io.rivulet.broker.share.ShareCounters;
import io.rivulet.broker.share.ShareGroups;
import io.rivulet.broker.topic.InternalTopic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.broker.txn.Transactions;
import io.rivulet.store.ReplayListener;
import io.rivulet.store.Store;
import io.rivulet.store.open.Attachments;
import java.util.List;

/**
 * The broker's views of the log: topics, producers, groups and transactions. The store fills them when it replays its
 * log, and keeps them up to date. Thread-safe.
 *
 * @param live the configuration, with what was changed while a broker ran
 * @param internal shows groups and transactions as topics
 * @param share what share groups have done with records
 * @param knownShares which share groups there are
 * @param users those that log in with SCRAM
 * @param interest the fetch sessions that are notified when queues grow
 */
record LogViews(
        LiveConfig live,
        Rules rules,
        TopicCatalogue topics,
        ProducerIds producerIds,
        SequenceGate gate,
        CoordinatorRuntime coordinators,
        Groups groups,
        Transactions transactions,
        InternalTopics internal,
        ShareGroups share,
        KnownShareGroups knownShares,
        QuotaRules quotas,
        ScramUsers users,
        QueueInterest interest,
        RecordBatchFormat format) {
    static LogViews of(BrokerConfig config, Nodes nodes, Environment environment) {
        LiveConfig live = new LiveConfig(config);
        TopicCatalogue topics = new TopicCatalogue(config.topicDefaults());
        ProducerIds producerIds = new ProducerIds();
        CoordinatorRuntime coordinators = new CoordinatorRuntime(environment);
        InternalTopics internal = new InternalTopics(coordinators, topics, which -> partitions(config, which));
        ShareGroupConfigs shareConfigs = new LiveShareGroups(live);
        ShareGroups share = new ShareGroups(config.shareBytes(), shareConfigs, coordinators);
        KnownShareGroups knownShares = new KnownShareGroups();
        share.knownBy(knownShares::mayExist);
        Groups groups = new Groups(
                coordinators,
                config.groups(),
                config.consumerGroups(),
                new LiveTimeouts(live),
                new ShareParts(
                        config.shareGroups(),
                        shareConfigs,
                        new RecordedStates(share, nodes.epochs().current()),
                        knownShares),
                new StreamsParts(config.streamsGroups(), new LiveStreams(live)),
                topics,
                internal.log(InternalTopic.OFFSETS));
        Transactions transactions = new Transactions(
                coordinators,
                config.transactions(),
                groups.offsets(),
                producerIds,
                internal.log(InternalTopic.TRANSACTIONS));
        SequenceGate gate = new SequenceGate(
                config.sharesShard() ? SequenceGate.IN_FLIGHT_TO_OWNERS : SequenceGate.IN_FLIGHT,
                config.producerExpirationMillis(),
                config.producerBytes(),
                transactions.gate(),
                environment.clock()::expiryMillis);
        live.whenChanged(now -> {
            topics.setDefaults(now.topicDefaults());
            gate.expireAfter(now.producerExpirationMillis());
        });
        return new LogViews(
                live,
                new Rules(config.access()),
                topics,
                producerIds,
                gate,
                coordinators,
                groups,
                transactions,
                internal,
                share,
                knownShares,
                new QuotaRules(),
                new ScramUsers(),
                new QueueInterest(),
                new RecordBatchFormat(transactions.histories(), config.maxDecompressedBytes(), Store.MAX_BATCH_BYTES));
    }

    private static int partitions(BrokerConfig config, InternalTopic which) {
        return switch (which) {
            case OFFSETS -> config.partitions(BrokerKey.OFFSETS_TOPIC_NUM_PARTITIONS);
            case TRANSACTIONS -> config.partitions(BrokerKey.TRANSACTION_STATE_LOG_NUM_PARTITIONS);
        };
    }

    Attachments attachments(ReplayListener progress) {
        return Attachments.of(List.of(
                        live.resources(),
                        rules,
                        topics,
                        producerIds,
                        groups.view(),
                        transactions.view(),
                        users,
                        quotas,
                        share))
                .withGate(gate)
                .withListener(new GrownQueues(interest, transactions.histories()))
                .withFormat(format)
                .withReplayListener(progress);
    }

    /** Starts the coordinators. Called when the store has replayed its log. */
    void start(Store store) {
        share.start(store);
        internal.start(store);
        transactions.start(store);
        groups.start(store);
    }

    /** For metrics. Any thread. */
    ShareFacts shareFacts() {
        ShareCounters counters = share.counters();
        return new ShareFacts(
                new ShareFacts.Groups(knownShares.empty(), knownShares.stable()),
                share.sessions(),
                share.rows(),
                share.locks(),
                new ShareFacts.Memory(share.bytes(), share.maxBytes()),
                new ShareFacts.Acknowledged(
                        counters.accepted(), counters.released(), counters.rejected(), counters.renewed()),
                counters.acquired(),
                counters.expired(),
                counters.exhausted(),
                new ShareFacts.DeadLetters(
                        counters.writtenDeadLetters(), counters.deadLetterRequests(), counters.deadLetterFailures()));
    }

    /** Queues were deleted. Log-writer thread. */
    void queuesDeleted(int firstQueueId, int count) {
        interest.queuesDeleted(firstQueueId, count);
        share.queuesDeleted(firstQueueId, count);
        transactions.histories().queuesDeleted(firstQueueId, count);
    }

    /** The parts to close after the store, in reverse order. */
    List<AutoCloseable> parts() {
        return List.of(coordinators, groups, format);
    }

    /** The configs of streams groups, as they are now. */
    private record LiveStreams(LiveConfig live) implements StreamsGroupConfigs {
        @Override
        public int sessionTimeoutMillis(String groupId) {
            return live.ofGroup(groupId, GroupKey.STREAMS_SESSION_TIMEOUT_MS);
        }

        @Override
        public int heartbeatIntervalMillis(String groupId) {
            return live.ofGroup(groupId, GroupKey.STREAMS_HEARTBEAT_INTERVAL_MS);
        }

        @Override
        public int assignmentIntervalMillis(String groupId) {
            return live.ofGroup(groupId, GroupKey.STREAMS_ASSIGNMENT_INTERVAL_MS);
        }

        @Override
        public int initialRebalanceDelayMillis(String groupId) {
            return live.ofGroup(groupId, GroupKey.STREAMS_INITIAL_REBALANCE_DELAY_MS);
        }

        @Override
        public int standbyReplicas(String groupId) {
            return live.ofGroup(groupId, GroupKey.STREAMS_NUM_STANDBY_REPLICAS);
        }
    }

    /** The timeouts of groups, as they are configured now. */
    private record LiveTimeouts(LiveConfig live) implements ConsumerGroupTimeouts {
        @Override
        public int sessionTimeoutMillis(String groupId) {
            return live.ofGroup(groupId, GroupKey.CONSUMER_SESSION_TIMEOUT_MS);
        }

        @Override
        public int heartbeatIntervalMillis(String groupId) {
            return live.ofGroup(groupId, GroupKey.CONSUMER_HEARTBEAT_INTERVAL_MS);
        }

        @Override
        public int assignmentIntervalMillis(String groupId) {
            return live.ofGroup(groupId, GroupKey.CONSUMER_ASSIGNMENT_INTERVAL_MS);
        }
    }
}
