package io.rivulet.broker;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.ConnectionOfATest;
import io.rivulet.broker.call.LongAnswers;
import io.rivulet.broker.call.ReadPool;
import io.rivulet.broker.call.Request;
import io.rivulet.broker.call.ResponseMemory;
import io.rivulet.broker.call.Route;
import io.rivulet.broker.call.RouteTable;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.fetch.FetchHandler;
import io.rivulet.broker.fetch.FetchParts;
import io.rivulet.broker.fetch.FetchSessions;
import io.rivulet.broker.produce.ProduceHandler;
import io.rivulet.broker.topic.TopicAdmin;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.wire.Message;
import io.rivulet.store.Store;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.open.LocalStore;
import io.rivulet.store.open.StoreEnvironment;
import io.rivulet.store.time.StoreClock;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Objects;

/** All that a broker has behind its sockets: a test asks its handlers, on the event loop of a connection without a socket. */
public final class TestBroker {
    public static final int NODE_ID = 1;

    private final FailureLatch failures = new FailureLatch();
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final ConnectionOfATest connection;
    private final RouteTable routes;

    public TestBroker(Path directory) throws Exception {
        BrokerConfig config =
                BrokerConfig.of(Map.of("log.dirs", directory.toString(), "node.id", String.valueOf(NODE_ID)));
        StoreClock clock = StoreClock.system(0);
        LogViews views = LogViews.of(config, clock, failures);
        views.parts().forEach(this::opened);
        Store store = opened(LocalStore.open(
                config.store(), StoreEnvironment.local(directory, clock, failures), views.attachments()));
        views.start(store);
        TopicAdmin admin = new TopicAdmin(store, views.topics(), 1000, 1 << 20, (firstQueueId, count) -> {});
        new Startup(store, views.topics(), admin, failures).recover();
        ReadPool readers = opened(new ReadPool(store, 1, failures));
        ResponseMemory memory = new ResponseMemory(1 << 20, 1000, System::nanoTime);
        LongAnswers longAnswers = new LongAnswers(readers, memory, memory, 1 << 20);
        ProduceHandler produce = opened(new ProduceHandler(config, store, clock, views.topics(), failures));
        FetchSessions sessions =
                new FetchSessions(views.topics(), views.grown(), 10, 1 << 20, clock::elapsedMillis, Runnable::run);
        FetchHandler fetch = new FetchHandler(
                new FetchParts(store, views.transactions().histories(), readers, sessions, memory), 1 << 20);
        routes = new Apis(config, clock, views, store, admin, readers, longAnswers).table(produce, fetch);
        connection = new ConnectionOfATest();
        opened.addFirst(connection::close);
    }

    private <T extends AutoCloseable> T opened(T part) {
        opened.addFirst(part);
        return part;
    }

    public RouteTable routes() {
        return routes;
    }

    /** The static {@code read} of a response. */
    @FunctionalInterface
    public interface Reading<T> {
        T read(ByteBuf bytes, short version);
    }

    /** The answer to a request of the newest version. */
    public <T> T ask(ApiKey key, Message request, Reading<T> reading) throws Exception {
        Route route = Objects.requireNonNull(routes.find(key.id(), key.lowestVersion()));
        return ask(key, route.highestVersion(), request, reading);
    }

    /** Encoded and read again, as its client would. */
    public <T> T ask(ApiKey key, int version, Message request, Reading<T> reading) throws Exception {
        Route route = Objects.requireNonNull(routes.find(key.id(), (short) version));
        Call call = new Call(
                new Request(route, (short) version, 1, "test", request, Unpooled.EMPTY_BUFFER, Request::nothing),
                connection);
        connection.eventLoop().execute(call::handle);
        connection.awaitAnswer(call);
        Message answer = Objects.requireNonNull(call.take());
        ByteBuf bytes = Unpooled.buffer();
        if (answer instanceof LongAnswers.Encoded encoded) {
            bytes.writeBytes(encoded.bytes());
        } else {
            answer.write(bytes, (short) version);
        }
        call.buffers().forEach(ByteBuf::release);
        call.written();
        return reading.read(bytes, (short) version);
    }

    public void close() throws Exception {
        for (AutoCloseable part : opened) {
            part.close();
        }
        if (failures.cause() != null) {
            throw new AssertionError("the broker has failed", failures.cause());
        }
    }
}
