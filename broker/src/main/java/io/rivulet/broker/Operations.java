package io.rivulet.broker;

import io.netty.channel.EventLoopGroup;
import io.rivulet.broker.config.HostPort;
import io.rivulet.broker.config.HttpSettings;
import io.rivulet.broker.health.Health;
import io.rivulet.broker.http.HttpServer;
import io.rivulet.broker.http.Page;
import io.rivulet.broker.http.Pages;
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
    private final @Nullable InetSocketAddress address;

    private Operations(HttpServer server, Health health, @Nullable InetSocketAddress address) {
        this.server = server;
        this.health = health;
        this.address = address;
    }

    /** @throws IOException if the listener's port is in use */
    static Operations start(HttpSettings settings, EventLoopGroup eventLoops, FailureLatch failures)
            throws IOException {
        HttpServer server = new HttpServer(eventLoops, failures);
        Health health = new Health(eventLoops, failures, System::nanoTime);
        Map<String, Page> pages = new HashMap<>();
        pages.put("/livez", health::live);
        pages.put("/readyz", health::ready);
        InetSocketAddress address = null;
        HostPort listener = settings.listener();
        if (listener != null) {
            address = listen(server, listener, settings.mayMove(), new Pages(pages));
        }
        return new Operations(server, health, address);
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

    /** Clients are served from now on. */
    void serving(Store store) {
        health.serving(store);
    }

    void stopping() {
        health.stopping();
    }

    @Override
    public void close() {
        server.close();
    }
}
