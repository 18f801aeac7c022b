package io.rivulet.broker;

import io.rivulet.broker.access.AccessControl;
import io.rivulet.broker.acl.Authorizer;
import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.call.LongAnswers;
import io.rivulet.broker.call.LongRequests;
import io.rivulet.broker.call.ReadPool;
import io.rivulet.broker.call.ResponseMemory;
import io.rivulet.broker.call.RouteTable;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.config.HeapShare;
import io.rivulet.broker.config.QuotaSettings;
import io.rivulet.broker.config.TopicAtStart;
import io.rivulet.broker.console.ConsoleParts;
import io.rivulet.broker.environment.Environment;
import io.rivulet.broker.fetch.FetchHandler;
import io.rivulet.broker.fetch.FetchParts;
import io.rivulet.broker.fetch.FetchSessions;
import io.rivulet.broker.net.BrokerServer;
import io.rivulet.broker.net.ListenerSecurity;
import io.rivulet.broker.net.Network;
import io.rivulet.broker.produce.ProduceHandler;
import io.rivulet.broker.quota.ClientQuotas;
import io.rivulet.broker.sasl.FirstUsers;
import io.rivulet.broker.sasl.Logins;
import io.rivulet.broker.share.DeadLetters;
import io.rivulet.broker.share.ShareAcknowledgeHandler;
import io.rivulet.broker.share.ShareFetchHandler;
import io.rivulet.broker.share.ShareFetchParts;
import io.rivulet.broker.share.ShareSessions;
import io.rivulet.broker.tls.Encryption;
import io.rivulet.broker.topic.TopicAdmin;
import io.rivulet.store.Store;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.time.StoreClock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A broker: one store, the views of its log, and the server. Several brokers may run in one process, each with its own
 * directory.
 *
 * <p>Thread-safe. {@link #close} completes the work in progress and frees everything. Acknowledged records are durable.
 */
public final class Broker implements AutoCloseable {
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final Store store;
    private final BrokerServer server;
    private final Operations operations;
    private final Startup startup;
    private final FailureLatch failures;
    private volatile String closing = "";
    private boolean closed;

    private Broker(BrokerConfig config, BrokerEnvironment outside) throws IOException {
        Environment environment = outside.rooms();
        this.failures = environment.failures();
        try {
            Network network = opened(outside.network());
            outside.disks().prepare(config);
            Encryption encryption = opened(new Encryption(config, failures));
            operations = opened(new Operations(config, encryption, network, failures));
            LogViews views = LogViews.of(config, environment);
            Logins logins = opened(new Logins(config, views.users(), failures));
            views.parts().forEach(this::opened);
            views.live().whenChanged(encryption::changed);
            views.live().tryOutBy(encryption::tryOut);
            store = opened(outside.disks().open(config, views.attachments(operations.replay())));
            views.start(store);
            encryption.serve();
            TopicAdmin admin = new TopicAdmin(
                    store, views.topics(), config.maxQueues(), config.topicsBytes(), views::queuesDeleted, environment);
            views.internal().start(admin);
            startup = startUp(config, views, admin, environment);
            ReadPool readers = opened(new ReadPool(store, config.readThreads(), failures, environment.threads()));
            StoreClock clock = environment.clock();
            ResponseMemory answers = responseMemory(config, config.responseBytes(), clock);
            LongAnswers longAnswers = longAnswers(config, readers, answers, clock);
            ProduceHandler produce = opened(
                    new ProduceHandler(config, store, views.topics(), environment, readers, operations.traffic()));
            ApiParts parts = new ApiParts(
                    config,
                    views.live(),
                    store,
                    views.topics(),
                    admin,
                    views.internal(),
                    views.quotas(),
                    readers,
                    longAnswers);
            ShareFetchParts share = shareParts(config, views, environment, admin, answers, produce);
            RouteTable routes = Apis.table(
                    parts,
                    views,
                    clock::stampMillis,
                    List.of(
                            produce.route(),
                            new FetchHandler(
                                            fetchParts(config, views, environment, readers, answers),
                                            config.maxFetchBytes())
                                    .route(),
                            new ShareFetchHandler(share, config.maxFetchBytes()).route(),
                            new ShareAcknowledgeHandler(share).route()));
            LongRequests longRequests = new LongRequests(readers, longAnswers, HeapShare.LONG_REQUESTS.bytes());
            // Closed in this order: no new requests, no more reads, then appended records are durable and acknowledged.
            ListenerSecurity security = new ListenerSecurity(encryption, logins, accessControl(config, views));
            server = opened(BrokerServer.start(
                    config,
                    network,
                    security,
                    () -> views.live().settings().connections(),
                    routes,
                    longRequests,
                    new ClientQuotas(views.quotas(), QuotaSettings.of(config), clock::nanos),
                    operations.calls(),
                    environment));
            failures.onFailure(server::stopServing);
            operations.serving(new ConsoleParts(parts, routes, server, security, operations.traffic()), views, server);
        } catch (IOException | RuntimeException | Error e) {
            closeAll(e);
            throw e;
        }
    }

    /** Repairs and adds what must be there before clients come. */
    private Startup startUp(BrokerConfig config, LogViews views, TopicAdmin admin, Environment environment)
            throws IOException {
        Startup first = new Startup(store, views.topics(), admin, environment);
        first.recover();
        if (!config.usersToAdd().isEmpty()) {
            new FirstUsers(config.usersToAdd()).addTo(store, views.users());
        }
        first.createTopics(config.topicsAtStart());
        return first;
    }

    private static AccessControl accessControl(BrokerConfig config, LogViews views) {
        return config.access().isOn() ? new Authorizer(config.access(), views.rules()) : AccessControl.NONE;
    }

    private static ResponseMemory responseMemory(BrokerConfig config, long bytes, StoreClock clock) {
        return new ResponseMemory(bytes, config.responsePatienceMillis(), clock::nanos);
    }

    private FetchParts fetchParts(
            BrokerConfig config, LogViews views, Environment environment, ReadPool readers, ResponseMemory answers) {
        FetchSessions sessions = new FetchSessions(
                views.topics(),
                views.interest(),
                config.fetchSessionSlots(),
                config.fetchSessionBytes(),
                environment.clock()::elapsedMillis,
                environment.ids(),
                longWork -> readers.read(reader -> longWork.run(), failures::fail));
        return new FetchParts(
                store,
                views.transactions().histories(),
                views.internal(),
                readers,
                sessions,
                answers,
                operations.traffic(),
                environment.clock()::nanos);
    }

    private static LongAnswers longAnswers(
            BrokerConfig config, ReadPool readers, ResponseMemory answers, StoreClock clock) {
        return new LongAnswers(
                readers,
                answers,
                responseMemory(config, config.responseBytes() / 2, clock),
                HeapShare.LONG_ANSWERS.bytes());
    }

    private ShareFetchParts shareParts(
            BrokerConfig config,
            LogViews views,
            Environment environment,
            TopicAdmin admin,
            ResponseMemory answers,
            ProduceHandler produce) {
        StoreClock clock = environment.clock();
        ReadPool readers = opened(ReadPool.ofShareGroups(store, config.readThreads(), failures, environment.threads()));
        views.share()
                .deadLettersBy(new DeadLetters(new DeadLetters.Parts(
                        views.share(),
                        views.topics(),
                        admin,
                        config.defaultPartitions(),
                        readers,
                        answers,
                        produce::isRefusing,
                        clock::stampMillis,
                        config.maxDecompressedBytes())));
        ShareSessions sessions = new ShareSessions(
                views.share(),
                views.topics(),
                views.interest(),
                config.shareGroups().maxSessions(),
                longWork -> readers.read(reader -> longWork.run(), failures::fail));
        views.share().sessionsFrom(sessions::count);
        return new ShareFetchParts(
                store,
                views.transactions().histories(),
                views.topics(),
                readers,
                views.share(),
                sessions,
                answers,
                clock::stampMillis,
                clock::nanos,
                config.maxDecompressedBytes());
    }

    /**
     * Returns when the broker serves clients.
     *
     * @param failures set when the broker fails; then it stops serving, and its owner must close it
     * @throws IOException if the directory is in use or damaged, or a listener's port is in use
     */
    public static Broker start(BrokerConfig config, FailureLatch failures) throws IOException {
        return start(config, BrokerEnvironment.local(config, failures));
    }

    /** As above, surrounded by something else than the machine. It closes the network, even if it does not start. */
    public static Broker start(BrokerConfig config, BrokerEnvironment environment) throws IOException {
        return new Broker(config, environment);
    }

    /**
     * Creates the topics that do not exist. Any thread.
     *
     * @throws IOException if one can't be created
     */
    void createTopics(List<TopicAtStart> topics) throws IOException {
        startup.createTopics(topics);
    }

    /** The failure that stopped the broker, or null. */
    public @Nullable Throwable failure() {
        return failures.cause();
    }

    /** The addresses for clients, one for each listener. */
    public List<InetSocketAddress> addresses() {
        return server.addresses();
    }

    /** For the bootstrap.servers of a client on this machine. */
    public String bootstrapServers() {
        return "localhost:" + addresses().get(0).getPort();
    }

    /** Where pages for operators are; null if there are none. */
    public @Nullable InetSocketAddress httpAddress() {
        return operations.address();
    }

    /** Where the console alone is; null if it has no listener of its own. */
    public @Nullable InetSocketAddress consoleAddress() {
        return operations.consoleAddress();
    }

    public int queues() {
        return store.liveQueues();
    }

    @Override
    public synchronized void close() throws IOException {
        if (!closed) {
            closed = true;
            operations.stopping();
            IOException failed = new IOException("the broker was not closed cleanly");
            closeAll(failed);
            if (failed.getSuppressed().length > 0) {
                throw failed;
            }
        }
    }

    private <T extends AutoCloseable> T opened(T part) {
        opened.addFirst(part);
        return part;
    }

    /** The name of the part that is being closed; empty before that. */
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
}
