package io.rivulet.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rivulet.broker.access.Access;
import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.ConnectionOfATest;
import io.rivulet.broker.call.LongAnswers;
import io.rivulet.broker.call.ReadPool;
import io.rivulet.broker.call.Request;
import io.rivulet.broker.call.ResponseMemory;
import io.rivulet.broker.call.Route;
import io.rivulet.broker.call.RouteTable;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.environment.Environment;
import io.rivulet.broker.fetch.FetchHandler;
import io.rivulet.broker.fetch.FetchParts;
import io.rivulet.broker.fetch.FetchSessions;
import io.rivulet.broker.node.Nodes;
import io.rivulet.broker.produce.ProduceHandler;
import io.rivulet.broker.share.ShareAcknowledgeHandler;
import io.rivulet.broker.share.ShareFetchHandler;
import io.rivulet.broker.share.ShareFetchParts;
import io.rivulet.broker.share.ShareSessions;
import io.rivulet.broker.topic.TopicAdmin;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.CreateTopicsRequest;
import io.rivulet.protocol.message.CreateTopicsRequest.CreatableTopic;
import io.rivulet.protocol.message.CreateTopicsResponse;
import io.rivulet.protocol.message.CreateTopicsResponse.CreatableTopicResult;
import io.rivulet.protocol.wire.Message;
import io.rivulet.protocol.wire.WireReader;
import io.rivulet.store.ReplayListener;
import io.rivulet.store.Store;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.open.LocalStore;
import io.rivulet.store.open.StoreEnvironment;
import io.rivulet.store.time.StoreClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A new broker without sockets for each test. A test calls its handlers, on the event loop of a connection without a
 * socket.
 *
 * <pre>{@code
 * @RegisterExtension
 * final TestBroker broker = new TestBroker();
 * }</pre>
 *
 * <p>Owned by: the test's thread.
 */
public final class TestBroker implements BeforeEachCallback, AfterEachCallback {
    public static final int NODE_ID = 1;

    private final FailureLatch failures = new FailureLatch();
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final ConnectionOfATest connection = new ConnectionOfATest();
    private final Map<String, String> properties;
    private final Function<BrokerConfig, Nodes> nodesOf;
    private @Nullable Path directory;
    private @Nullable RouteTable routes;
    private @Nullable ReadPool readers;
    private @Nullable ResponseMemory memory;

    public TestBroker() {
        this(Map.of(), Nodes::single);
    }

    /** @param nodesOf the brokers that it names, this one included */
    public TestBroker(Map<String, String> properties, Function<BrokerConfig, Nodes> nodesOf) {
        this.properties = properties;
        this.nodesOf = nodesOf;
    }

    @Override
    public void beforeEach(ExtensionContext context) throws Exception {
        directory = Files.createTempDirectory("rivulet-broker-test");
        BrokerConfig config = config();
        StoreClock clock = StoreClock.system(0);
        Environment environment = Environment.of(clock, failures);
        Nodes nodes = nodesOf.apply(config);
        LogViews views = LogViews.of(config, nodes, environment);
        views.parts().forEach(this::opened);
        Store store = opened(LocalStore.open(
                config.store(),
                StoreEnvironment.local(directory(), clock, failures),
                views.attachments(ReplayListener.NONE)));
        views.start(store);
        TopicAdmin admin = new TopicAdmin(store, views.topics(), 1000, 1 << 20, views::queuesDeleted, environment);
        views.internal().start(admin);
        new Startup(store, views.topics(), admin, environment).recover();
        readers = opened(new ReadPool(store, 1, failures));
        memory = new ResponseMemory(1 << 20, 1000, System::nanoTime);
        LongAnswers longAnswers = new LongAnswers(readers, memory, memory, 1 << 20);
        ProduceHandler produce = opened(new ProduceHandler(config, store, views.topics(), environment, readers, null));
        FetchParts fetch = new FetchParts(
                store,
                nodes.epochs().current(),
                views.transactions().histories(),
                views.internal(),
                readers,
                sessions(nodes, views, environment),
                memory,
                null,
                clock::nanos);
        ApiParts parts = new ApiParts(
                config,
                nodes,
                views.live(),
                store,
                views.topics(),
                admin,
                views.internal(),
                views.quotas(),
                readers,
                longAnswers);
        ShareSessions shareSessions =
                new ShareSessions(views.share(), views.topics(), views.interest(), 3, Runnable::run);
        ShareFetchParts share = new ShareFetchParts(
                store,
                nodes.epochs().current(),
                views.transactions().histories(),
                views.topics(),
                readers,
                views.share(),
                shareSessions,
                memory,
                clock::stampMillis,
                clock::nanos,
                1 << 20);
        routes = Apis.table(
                parts,
                views,
                clock::stampMillis,
                List.of(
                        produce.route(),
                        new FetchHandler(fetch, 1 << 20).route(),
                        new ShareFetchHandler(share, 1 << 20).route(),
                        new ShareAcknowledgeHandler(share).route()));
    }

    private BrokerConfig config() {
        Map<String, String> all = new HashMap<>(properties);
        all.put("log.dirs", directory().toString());
        all.put("node.id", String.valueOf(NODE_ID));
        return BrokerConfig.of(all);
    }

    private static FetchSessions sessions(Nodes nodes, LogViews views, Environment environment) {
        return new FetchSessions(
                nodes.epochs(),
                views.topics(),
                views.interest(),
                10,
                1 << 20,
                environment.clock()::elapsedMillis,
                environment.ids(),
                Runnable::run);
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        connection.close();
        for (AutoCloseable part : opened) {
            part.close();
        }
        try (Stream<Path> files = Files.walk(directory())) {
            for (Path deepestFirst : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(deepestFirst);
            }
        }
        assertThat(failures.cause()).as("a failure of the broker").isNull();
    }

    private <T extends AutoCloseable> T opened(T part) {
        opened.addFirst(part);
        return part;
    }

    public Path directory() {
        return Objects.requireNonNull(directory);
    }

    /** Creates topics of one partition. */
    public void createTopics(String... names) throws Exception {
        assertThat(tryCreateTopics(names)).allMatch(topic -> topic.errorCode() == 0);
    }

    /** Asks for topics of one partition. Returns an answer for each. */
    public List<CreatableTopicResult> tryCreateTopics(String... names) throws Exception {
        CreateTopicsRequest request = new CreateTopicsRequest()
                .timeoutMs(1000)
                .topics(Stream.of(names)
                        .map(name ->
                                new CreatableTopic().name(name).numPartitions(1).replicationFactor((short) 1))
                        .toList());
        return ask(ApiKey.CREATE_TOPICS, request, CreateTopicsResponse::read).topics();
    }

    /** Sets what clients may do from now on. */
    public void access(Access access) {
        connection.access(access);
    }

    /** Sets the listener that requests come to from now on. */
    public void listenerName(String name) {
        connection.listenerName(name);
    }

    public RouteTable routes() {
        return Objects.requireNonNull(routes);
    }

    /** The pool of its only read thread. */
    public ReadPool readers() {
        return Objects.requireNonNull(readers);
    }

    /** Lets the read thread wait until the latch is counted down. */
    public CountDownLatch occupyReadThread() {
        CountDownLatch busy = new CountDownLatch(1);
        read(() -> {
            try {
                busy.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        return busy;
    }

    /** Returns when no call goes on, except those that wait for records, memory or a time. */
    public void settle() throws Exception {
        for (int i = 0; i < 3; i++) {
            connection.settle();
            CountDownLatch reached = new CountDownLatch(1);
            read(reached::countDown);
            reached.await();
        }
        connection.settle();
    }

    private void read(Runnable action) {
        assertThat(readers().read(reader -> action.run(), failures::fail)).isTrue();
    }

    /** The memory of answers with records, and of long ones: 1 MiB. */
    public ResponseMemory memory() {
        return Objects.requireNonNull(memory);
    }

    /** The connection that requests come from. */
    public ConnectionOfATest connection() {
        return connection;
    }

    /** The static {@code read} of a response. */
    @FunctionalInterface
    public interface Reading<T> {
        T read(ByteBuf bytes, short version);
    }

    /** The answer to a request of the newest version. */
    public <T> T ask(ApiKey key, Message request, Reading<T> reading) throws Exception {
        Route route = Objects.requireNonNull(routes().find(key.id(), key.lowestVersion()));
        return ask(key, route.highestVersion(), request, reading);
    }

    /** The answer to a request, encoded and decoded. */
    public <T> T ask(ApiKey key, int version, Message request, Reading<T> reading) throws Exception {
        Call call = send(key, version, request);
        connection.awaitAnswer(call);
        return reading.read(receive(call), (short) version);
    }

    /** Sends a request and does not wait for its answer. */
    public Call send(ApiKey key, int version, Message request) {
        Route route = Objects.requireNonNull(routes().find(key.id(), (short) version));
        ByteBuf frame = Unpooled.EMPTY_BUFFER;
        Message body = request;
        if (route.keepsFrame()) { // the request borrows its records from it
            frame = Unpooled.buffer();
            request.write(frame, (short) version);
            body = key.readRequest(new WireReader(frame), (short) version);
        }
        Call call = new Call(new Request(route, (short) version, 1, "test", body, frame, Request::nothing), connection);
        connection.eventLoop().execute(call::handle);
        return call;
    }

    /** The client reads the answer to a call that has ended. */
    public static ByteBuf receive(Call call) {
        Message answer = Objects.requireNonNull(call.take());
        ByteBuf bytes = Unpooled.buffer();
        if (answer instanceof LongAnswers.Encoded encoded) {
            bytes.writeBytes(encoded.bytes());
        } else {
            answer.write(bytes, call.version());
        }
        call.buffers().forEach(ByteBuf::release);
        call.written();
        return bytes;
    }
}
