package io.rivulet.broker;

import io.rivulet.broker.api.AclHandler;
import io.rivulet.broker.api.AlterConfigsHandler;
import io.rivulet.broker.api.ApiVersionsHandler;
import io.rivulet.broker.api.BrokerIdentity;
import io.rivulet.broker.api.CreatePartitionsHandler;
import io.rivulet.broker.api.CreateTopicsHandler;
import io.rivulet.broker.api.DeleteRecordsHandler;
import io.rivulet.broker.api.DeleteTopicsHandler;
import io.rivulet.broker.api.DescribeClusterHandler;
import io.rivulet.broker.api.DescribeConfigsHandler;
import io.rivulet.broker.api.DescribeLogDirsHandler;
import io.rivulet.broker.api.DescribeProducersHandler;
import io.rivulet.broker.api.DescribeTopicPartitionsHandler;
import io.rivulet.broker.api.Dispatcher;
import io.rivulet.broker.api.FetchHandler;
import io.rivulet.broker.api.FetchParts;
import io.rivulet.broker.api.FindCoordinatorHandler;
import io.rivulet.broker.api.GroupHandler;
import io.rivulet.broker.api.IncrementalAlterConfigsHandler;
import io.rivulet.broker.api.InitProducerIdHandler;
import io.rivulet.broker.api.ListOffsetsHandler;
import io.rivulet.broker.api.ListPartitionReassignmentsHandler;
import io.rivulet.broker.api.LongAnswers;
import io.rivulet.broker.api.LongChecks;
import io.rivulet.broker.api.LongRequests;
import io.rivulet.broker.api.MetadataHandler;
import io.rivulet.broker.api.OffsetForLeaderEpochHandler;
import io.rivulet.broker.api.ProduceHandler;
import io.rivulet.broker.api.ProduceParts;
import io.rivulet.broker.api.Recompressor;
import io.rivulet.broker.api.TxnHandler;
import io.rivulet.broker.compact.RecordBatchFormat;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.config.ConfigException;
import io.rivulet.broker.config.HeapShare;
import io.rivulet.broker.config.TopicAtStart;
import io.rivulet.broker.coordinator.CoordinatorRuntime;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.fetch.FetchSessions;
import io.rivulet.broker.fetch.GrownQueues;
import io.rivulet.broker.fetch.QueueInterest;
import io.rivulet.broker.fetch.ReadPool;
import io.rivulet.broker.fetch.ResponseMemory;
import io.rivulet.broker.group.Groups;
import io.rivulet.broker.net.BrokerServer;
import io.rivulet.broker.producer.ProducerIds;
import io.rivulet.broker.producer.SequenceGate;
import io.rivulet.broker.topic.NewTopic;
import io.rivulet.broker.topic.OrphanQueues;
import io.rivulet.broker.topic.TopicAdmin;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.broker.txn.OpenTransactions;
import io.rivulet.broker.txn.Transactions;
import io.rivulet.store.Store;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.open.Attachments;
import io.rivulet.store.open.LocalStore;
import io.rivulet.store.open.StoreEnvironment;
import io.rivulet.store.time.StoreClock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A broker: one store, its views, and the server in front. Several may run in one process, each on its own directory.
 *
 * <p>Thread-safe. Closing it ends what is under way and frees everything; what was acknowledged is there at the next start.
 */
public final class Broker implements AutoCloseable {
    private static final long LOOK_MILLIS = 100;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final StoreClock clock;
    private final TopicCatalogue topics;
    private final Store store;
    private final BrokerServer server;
    private final FailureLatch failures;
    private volatile String closing = "";
    private boolean closed;

    private Broker(BrokerConfig config, FailureLatch failures) throws IOException {
        this.failures = failures;
        try {
            StoreEnvironment.createDirectory(config.dataDirectory());
            topics = new TopicCatalogue(config.topicDefaults());
            ProducerIds producerIds = new ProducerIds();
            clock = StoreClock.system(config.clockStepPatienceMillis());
            CoordinatorRuntime coordinators = opened(new CoordinatorRuntime(clock, failures));
            Groups groups =
                    opened(new Groups(coordinators, config.groups(), config.consumerGroups(), topics, failures));
            Transactions transactions =
                    new Transactions(coordinators, config.transactions(), groups.offsets(), producerIds);
            OpenTransactions open = transactions.open();
            SequenceGate gate =
                    new SequenceGate(config.producerExpirationMillis(), config.producerBytes(), open, clock);
            QueueInterest interest = new QueueInterest();
            RecordBatchFormat format =
                    opened(new RecordBatchFormat(open, config.maxDecompressedBytes(), Store.MAX_BATCH_BYTES));
            Attachments attachments = Attachments.of(List.of(topics, producerIds, groups.view(), transactions.view()))
                    .withGate(gate)
                    .withListener(new GrownQueues(interest, open))
                    .withFormat(format);
            store = opened(LocalStore.open(
                    config.store(), StoreEnvironment.local(config.dataDirectory(), clock, failures), attachments));
            transactions.start(store);
            groups.start(store);
            TopicAdmin admin = new TopicAdmin(store, topics, config.maxQueues(), config.topicsBytes(), interest::gone);
            finishWhatACrashLeft(admin);
            createTopics(admin, config.topicsAtStart());
            ReadPool readers = opened(new ReadPool(store, config.readThreads(), failures));
            Coordination coordination = new Coordination(producerIds, gate, groups, transactions);
            server = BrokerServer.start(config, dispatcher(config, admin, readers, interest, coordination), failures);
            // In this order: no new requests, no more reads, then what was appended is durable and answered.
            opened.addFirst(new Connections(server));
            opened.addLast(server);
            failures.onFailure(server::stopServing);
        } catch (IOException | RuntimeException | Error e) {
            closeAll(e);
            throw e;
        }
    }

    /**
     * Returns when the broker serves clients.
     *
     * @throws IOException when the directory is in use or damaged, or a listener's port is taken
     */
    public static Broker start(BrokerConfig config) throws IOException {
        return start(config, new FailureLatch());
    }

    /** @param failures set when the broker has failed; it serves no more then, and is to be closed. Its owner may listen to it */
    public static Broker start(BrokerConfig config, FailureLatch failures) throws IOException {
        return new Broker(config, failures);
    }

    /** Why the broker serves no more; null as long as all is well. */
    public @Nullable Throwable failure() {
        return failures.cause();
    }

    private void finishWhatACrashLeft(TopicAdmin admin) throws IOException {
        if (topics.clusterId() == null) {
            await(admin.nameCluster());
        }
        await(OrphanQueues.delete(store, topics));
        await(admin.settleRetention());
    }

    private void createTopics(TopicAdmin admin, List<TopicAtStart> wanted) throws IOException {
        for (TopicAtStart topic : wanted) {
            if (topics.find(topic.name()) == null) {
                NewTopic wish = new NewTopic(topic.name(), topic.partitions(), topic.configs());
                try {
                    topics.defaults().withOverrides(wish.configs());
                    await(admin.findOrCreate(wish));
                } catch (ConfigException | RefusedException e) {
                    throw new IOException("can't create the topic " + topic.name() + ": " + e.getMessage(), e);
                }
            }
        }
    }

    /** What knows of producers, groups and transactions. */
    private record Coordination(ProducerIds producerIds, SequenceGate gate, Groups groups, Transactions transactions) {}

    private Dispatcher dispatcher(
            BrokerConfig config,
            TopicAdmin admin,
            ReadPool readers,
            QueueInterest interest,
            Coordination coordination) {
        BrokerIdentity identity = new BrokerIdentity(Objects.requireNonNull(topics.clusterId()), config.nodeId());
        ResponseMemory memory =
                new ResponseMemory(config.responseBytes(), config.responsePatienceMillis(), System::nanoTime);
        ResponseMemory ofLongAnswers =
                new ResponseMemory(config.responseBytes() / 2, config.responsePatienceMillis(), System::nanoTime);
        LongAnswers longAnswers = new LongAnswers(readers, memory, ofLongAnswers, HeapShare.LONG_ANSWERS.bytes());
        int maxDecompressedBytes = config.maxDecompressedBytes();
        ProduceParts produce = new ProduceParts(store, clock);
        OpenTransactions open = coordination.transactions.open();
        TxnHandler transactions = new TxnHandler(coordination.transactions, topics, longAnswers, clock::stampMillis);
        return new Dispatcher(
                new ApiVersionsHandler(identity),
                new MetadataHandler(
                        identity, topics, admin, longAnswers, config.autoCreateTopics(), config.defaultPartitions()),
                new ProduceHandler(
                        produce,
                        topics,
                        opened(new Recompressor(config.maxRequestBytes(), maxDecompressedBytes, failures)),
                        opened(new LongChecks(maxDecompressedBytes, failures)),
                        maxDecompressedBytes),
                new FetchHandler(fetchParts(config, open, readers, interest, memory), config.maxFetchBytes()),
                new ListOffsetsHandler(store, open, topics, readers, longAnswers, maxDecompressedBytes),
                new OffsetForLeaderEpochHandler(store, topics),
                new InitProducerIdHandler(coordination.producerIds, store, transactions),
                new CreateTopicsHandler(identity, topics, admin, longAnswers, config.defaultPartitions()),
                new DeleteTopicsHandler(topics, admin, longAnswers, config.deleteTopics()),
                new DescribeClusterHandler(identity),
                new AlterConfigsHandler(topics, admin),
                new CreatePartitionsHandler(identity, topics, admin),
                new DeleteRecordsHandler(store, topics),
                new DescribeConfigsHandler(identity, config, topics, longAnswers),
                new DescribeLogDirsHandler(store, topics, longAnswers, config.dataDirectory()),
                new IncrementalAlterConfigsHandler(topics, admin),
                new DescribeTopicPartitionsHandler(identity, topics, longAnswers),
                new ListPartitionReassignmentsHandler(),
                new FindCoordinatorHandler(identity, longAnswers),
                new GroupHandler(
                        coordination.groups, longAnswers, config.groups().maxHeapBytes() / 2),
                transactions,
                new DescribeProducersHandler(coordination.gate, open, topics, longAnswers),
                new AclHandler(),
                new LongRequests(readers, longAnswers, HeapShare.LONG_REQUESTS.bytes()));
    }

    private FetchParts fetchParts(
            BrokerConfig config,
            OpenTransactions open,
            ReadPool readers,
            QueueInterest interest,
            ResponseMemory memory) {
        FetchSessions sessions = new FetchSessions(
                topics,
                interest,
                config.fetchSessionSlots(),
                config.fetchSessionBytes(),
                clock::elapsedMillis,
                FetchHandler::leaderEpochError,
                longWork -> readers.read(reader -> longWork.run(), failures::fail));
        return new FetchParts(store, open, readers, sessions, memory);
    }

    /** Where clients connect, one for each listener. */
    public List<InetSocketAddress> addresses() {
        return server.addresses();
    }

    /** For the bootstrap.servers of a client on this machine. */
    public String bootstrapServers() {
        return "localhost:" + addresses().get(0).getPort();
    }

    public int queues() {
        return store.liveQueues();
    }

    @Override
    public synchronized void close() throws IOException {
        if (!closed) {
            closed = true;
            IOException failed = new IOException("the broker did not close in good order");
            closeAll(failed);
            if (failed.getSuppressed().length > 0) {
                throw failed;
            }
        }
    }

    /** Closed before all else. */
    private record Connections(BrokerServer server) implements AutoCloseable {
        @Override
        public void close() {
            server.disconnect();
        }
    }

    private <T extends AutoCloseable> T opened(T part) {
        opened.addFirst(part);
        return part;
    }

    /** What is being closed; empty while nothing is. */
    public String closing() {
        return closing;
    }

    private void closeAll(Throwable failed) {
        for (AutoCloseable part : opened) {
            closing = part.getClass().getSimpleName();
            try {
                part.close();
            } catch (Exception e) {
                failed.addSuppressed(e);
            }
        }
    }

    /** Ends when the broker has failed, too: the thread that should end the stage may be the one that failed. */
    private void await(CompletionStage<?> stage) throws IOException {
        Future<?> result = stage.toCompletableFuture();
        try {
            while (!isDone(result)) {
                Throwable cause = failures.cause();
                if (cause != null && !isDone(result)) {
                    throw new IOException("the broker has failed while starting", cause);
                }
            }
            result.get();
        } catch (ExecutionException e) {
            throw new IOException("the store could not take the first entries of this start", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while starting", e);
        }
    }

    private static boolean isDone(Future<?> result) throws InterruptedException, ExecutionException {
        try {
            result.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }
}
