package io.rivulet.broker;

import io.netty.channel.EventLoopGroup;
import io.rivulet.broker.call.ReadPool;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.config.HostPort;
import io.rivulet.broker.config.HttpSettings;
import io.rivulet.broker.group.Groups;
import io.rivulet.broker.health.Health;
import io.rivulet.broker.http.HttpServer;
import io.rivulet.broker.http.Page;
import io.rivulet.broker.http.Pages;
import io.rivulet.broker.metrics.RequestTimes;
import io.rivulet.broker.metrics.ServerFacts;
import io.rivulet.broker.metrics.TopicTraffic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.store.ReplayListener;
import io.rivulet.store.Store;
import io.rivulet.store.failure.FailureLatch;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What operators see of a broker over HTTP. It listens before the store is open, so that probes see a long replay.
 * Thread-safe.
 */
final class Operations implements AutoCloseable {
    private final HttpServer server;
    private final Health health;
    private final Metrics metrics;
    private final @Nullable InetSocketAddress address;

    private Operations(HttpServer server, Health health, Metrics metrics, @Nullable InetSocketAddress address) {
        this.server = server;
        this.health = health;
        this.metrics = metrics;
        this.address = address;
    }

    /** @throws IOException if the listener's port is in use */
    static Operations start(BrokerConfig config, EventLoopGroup eventLoops, FailureLatch failures) throws IOException {
        HttpSettings settings = config.http();
        HttpServer server = new HttpServer(eventLoops, failures);
        Health health = new Health(eventLoops, failures, System::nanoTime);
        Map<String, Page> pages = new HashMap<>();
        pages.put("/livez", health::live);
        pages.put("/readyz", health::ready);
        Metrics metrics = new Metrics(config, failures);
        pages.put("/metrics", metrics::all);
        pages.put("/metrics/detailed", metrics::detailed);
        InetSocketAddress address = null;
        HostPort listener = settings.listener();
        if (listener != null) {
            address = listen(server, listener, settings.mayMove(), new Pages(pages));
        }
        return new Operations(server, health, metrics, address);
    }

    private static InetSocketAddress listen(HttpServer server, HostPort listener, boolean mayMove, Pages pages)
            throws IOException {
        try {
            return server.listen(listener, pages);
        } catch (IOException e) {
            if (mayMove) {
                return server.listen(listener.withPort(0), pages);
            }
            throw e;
        }
    }

    /** Where it listens; null if it does not. */
    @Nullable
    InetSocketAddress address() {
        return address;
    }

    /** Counts what topics receive and send; null if nobody can ask. */
    @Nullable
    TopicTraffic traffic() {
        return address == null ? null : metrics.traffic();
    }

    /** Counts calls; null if nobody can ask. */
    @Nullable
    RequestTimes calls() {
        return address == null ? null : metrics.calls();
    }

    /** Is notified how far the replay of the log is. */
    ReplayListener replay() {
        return health::replaying;
    }

    /** Clients are served from now on. */
    void serving(Store store, TopicCatalogue topics, Groups groups, ReadPool readers, ServerFacts clients) {
        metrics.serving(store, topics, groups, readers, clients);
        health.serving(store);
    }

    void stopping() {
        health.stopping();
    }

    @Override
    public void close() {
        server.close();
        metrics.close();
    }
}
