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
import io.rivulet.broker.config.ConfigException;
import io.rivulet.broker.config.HeapShare;
import io.rivulet.broker.config.QuotaSettings;
import io.rivulet.broker.config.TopicAtStart;
import io.rivulet.broker.console.ConsoleParts;
import io.rivulet.broker.environment.Environment;
import io.rivulet.broker.fetch.FetchHandler;
import io.rivulet.broker.fetch.FetchParts;
import io.rivulet.broker.fetch.FetchSessions;
import io.rivulet.broker.net.AnswerRule;
import io.rivulet.broker.net.BrokerServer;
import io.rivulet.broker.net.ListenerSecurity;
import io.rivulet.broker.net.Service;
import io.rivulet.broker.node.LeaderEpochs;
import io.rivulet.broker.node.Nodes;
import io.rivulet.broker.produce.ProduceHandler;
import io.rivulet.broker.quota.ClientQuotas;
import io.rivulet.broker.sasl.FirstUsers;
import io.rivulet.broker.sasl.Logins;
import io.rivulet.broker.sasl.ScramUsers;
import io.rivulet.broker.share.DeadLetters;
import io.rivulet.broker.share.ShareAcknowledgeHandler;
import io.rivulet.broker.share.ShareFetchHandler;
import io.rivulet.broker.share.ShareFetchParts;
import io.rivulet.broker.share.ShareSessions;
import io.rivulet.broker.tls.Encryption;
import io.rivulet.broker.topic.TopicAdmin;
import io.rivulet.store.ReplayListener;
import io.rivulet.store.Store;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.time.StoreClock;
import java.io.IOException;
import java.util.List;

/**
 * The part of a broker that stands on its store: the views of its log, and what answers clients from them.
 *
 * <p>Thread-safe. {@link #close} completes the work in progress and frees everything. Acknowledged records are durable.
 */
final class Shard implements AutoCloseable {
    /**
     * What a shard gets from the process. Immutable.
     *
     * @param rule whether an answer may leave
     */
    record Surroundings(
            BrokerConfig config,
            Nodes nodes,
            Environment environment,
            BrokerEnvironment.Disks disks,
            Encryption encryption,
            Operations operations,
            ReplayListener replay,
            AnswerRule rule) {}

    private final Surroundings outside;
    private final BrokerConfig config;
    private final Environment environment;
    private final OpenedParts opened = new OpenedParts();
    private final LogViews views;
    private final Store store;
    private final Startup startup;
    private final ApiParts parts;
    private final Service service;

    private Shard(Surroundings outside) throws IOException {
        this.outside = outside;
        this.config = outside.config();
        this.environment = outside.environment();
        try {
            views = LogViews.of(config, outside.nodes(), environment);
            Logins logins = opened.add(new Logins(config, views.users(), environment.failures()));
            views.parts().forEach(opened::add);
            views.live().whenChanged(outside.encryption()::changed);
            views.live().tryOutBy(outside.encryption()::tryOut);
            store = opened.add(outside.disks().open(config, views.attachments(outside.replay())));
            views.start(store);
            TopicAdmin admin = new TopicAdmin(
                    store, views.topics(), config.maxQueues(), config.topicsBytes(), views::queuesDeleted, environment);
            views.internal().start(admin);
            startup = startUp(admin);
            ReadPool readers = opened.add(
                    new ReadPool(store, config.readThreads(), environment.failures(), environment.threads()));
            ResponseMemory answers = responseMemory(config.responseBytes());
            LongAnswers longAnswers = longAnswers(readers, answers);
            ProduceHandler produce = opened.add(new ProduceHandler(
                    config,
                    store,
                    views.topics(),
                    environment,
                    readers,
                    outside.operations().traffic()));
            parts = new ApiParts(
                    config,
                    outside.nodes(),
                    views.live(),
                    store,
                    views.topics(),
                    admin,
                    views.internal(),
                    views.quotas(),
                    readers,
                    longAnswers);
            ShareFetchParts share = shareParts(admin, answers, produce);
            RouteTable routes = Apis.table(
                    parts,
                    views,
                    environment.clock()::stampMillis,
                    List.of(
                            produce.route(),
                            new FetchHandler(fetchParts(readers, answers), config.maxFetchBytes()).route(),
                            new ShareFetchHandler(share, config.maxFetchBytes()).route(),
                            new ShareAcknowledgeHandler(share).route()));
            service = service(routes, new LongRequests(readers, longAnswers, HeapShare.LONG_REQUESTS.bytes()), logins);
        } catch (IOException | RuntimeException | Error e) {
            opened.close(e);
            throw e;
        }
    }

    /**
     * Reads of the configuration what each opening reads, before there is one.
     *
     * @throws ConfigException if a shard can't be opened with it
     */
    static void check(BrokerConfig config, FailureLatch failures) throws IOException {
        new Logins(config, new ScramUsers(), failures).close();
        FirstUsers unused = new FirstUsers(config.usersToAdd());
    }

    /** Returns when it could serve clients. */
    static Shard open(Surroundings outside) throws IOException {
        return new Shard(outside);
    }

    /** Repairs and adds what must be there before clients come. */
    private Startup startUp(TopicAdmin admin) throws IOException {
        Startup first = new Startup(store, views.topics(), admin, environment);
        first.recover();
        if (!config.usersToAdd().isEmpty()) {
            new FirstUsers(config.usersToAdd()).addTo(store, views.users());
        }
        first.createTopics(config.topicsAtStart());
        return first;
    }

    private Service service(RouteTable routes, LongRequests longRequests, Logins logins) {
        AccessControl access =
                config.access().isOn() ? new Authorizer(config.access(), views.rules()) : AccessControl.NONE;
        return new Service(
                routes,
                longRequests,
                new ClientQuotas(views.quotas(), QuotaSettings.of(config), environment.clock()::nanos),
                new ListenerSecurity(outside.encryption(), logins, access),
                () -> views.live().settings().connections(),
                outside.rule());
    }

    private ResponseMemory responseMemory(long bytes) {
        return new ResponseMemory(bytes, config.responsePatienceMillis(), environment.clock()::nanos);
    }

    private LongAnswers longAnswers(ReadPool readers, ResponseMemory answers) {
        return new LongAnswers(
                readers, answers, responseMemory(config.responseBytes() / 2), HeapShare.LONG_ANSWERS.bytes());
    }

    private FetchParts fetchParts(ReadPool readers, ResponseMemory answers) {
        LeaderEpochs epochs = outside.nodes().epochs();
        FetchSessions sessions = new FetchSessions(
                epochs,
                views.topics(),
                views.interest(),
                config.fetchSessionSlots(),
                config.fetchSessionBytes(),
                environment.clock()::elapsedMillis,
                environment.ids(),
                longWork -> readers.read(reader -> longWork.run(), environment.failures()::fail));
        return new FetchParts(
                store,
                epochs.current(),
                views.transactions().histories(),
                views.internal(),
                readers,
                sessions,
                answers,
                outside.operations().traffic(),
                environment.clock()::nanos);
    }

    private ShareFetchParts shareParts(TopicAdmin admin, ResponseMemory answers, ProduceHandler produce) {
        StoreClock clock = environment.clock();
        ReadPool readers = opened.add(
                ReadPool.ofShareGroups(store, config.readThreads(), environment.failures(), environment.threads()));
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
                longWork -> readers.read(reader -> longWork.run(), environment.failures()::fail));
        views.share().sessionsFrom(sessions::count);
        return new ShareFetchParts(
                store,
                outside.nodes().epochs().current(),
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

    /** What answers clients. */
    Service service() {
        return service;
    }

    /** Shows it to operators from now on. */
    void showIn(Operations operations, BrokerServer server) {
        operations.serving(
                new ConsoleParts(
                        parts,
                        service.routes(),
                        server,
                        service.security(),
                        operations.traffic(),
                        operations.cluster()),
                views,
                server);
    }

    /**
     * Creates the topics that do not exist. Any thread.
     *
     * @throws IOException if one can't be created
     */
    void createTopics(List<TopicAtStart> topics) throws IOException {
        startup.createTopics(topics);
    }

    int queues() {
        return store.liveQueues();
    }

    /** The name of the part that is being closed; empty before that. */
    String closing() {
        return opened.closing();
    }

    @Override
    public void close() throws IOException {
        opened.close("the store was not closed cleanly");
    }
}
