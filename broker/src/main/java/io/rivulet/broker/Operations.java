package io.rivulet.broker;

import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.config.ConsoleSettings;
import io.rivulet.broker.config.HostPort;
import io.rivulet.broker.config.HttpSettings;
import io.rivulet.broker.console.Console;
import io.rivulet.broker.console.ConsoleParts;
import io.rivulet.broker.health.Health;
import io.rivulet.broker.http.HttpServer;
import io.rivulet.broker.http.Page;
import io.rivulet.broker.http.Pages;
import io.rivulet.broker.metrics.ClusterFacts;
import io.rivulet.broker.metrics.RequestTimes;
import io.rivulet.broker.metrics.ServerFacts;
import io.rivulet.broker.metrics.TopicTraffic;
import io.rivulet.broker.net.Network;
import io.rivulet.broker.node.Endpoints;
import io.rivulet.broker.tls.Encryption;
import io.rivulet.store.ReplayListener;
import io.rivulet.store.failure.FailureLatch;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What operators see of a broker over HTTP. It listens before the store is open, so that probes see a long replay.
 * Thread-safe.
 */
final class Operations implements AutoCloseable {
    private static final String HTTP = "http";
    private static final String HTTPS = "https";
    /** In the name of the endpoint; no listener has such a name. */
    private static final String CONSOLE_ENDPOINT = "+console";

    private final HttpServer server;
    private final Health health;
    private final RequestTimes calls = new RequestTimes(System::nanoTime);
    private final BrokerConfig config;
    private final FailureLatch failures;
    /** Of one opening of the store. */
    private volatile Metrics metrics;
    /** Of one opening of the store. */
    private volatile Console console;
    /** Null in a broker by itself. */
    private volatile @Nullable Supplier<ClusterFacts> cluster;
    /** Null in a broker by itself. */
    private volatile @Nullable ServerFacts listeners;
    /** Guarded by this. */
    private boolean isStopping;

    private final @Nullable InetSocketAddress address;
    private final @Nullable InetSocketAddress consoleAddress;

    /** @throws IOException if a listener's port is in use */
    Operations(BrokerConfig config, Encryption encryption, Network network, FailureLatch failures) throws IOException {
        server = new HttpServer(network, failures);
        health = new Health(network.eventLoops(), network.acceptors(), failures, System::nanoTime);
        this.config = config;
        this.failures = failures;
        metrics = metrics();
        console = console();
        try {
            HttpSettings settings = config.http();
            HostPort own = settings.console().listener();
            consoleAddress = own == null
                    ? null
                    : server.listen(
                            own,
                            new Pages(consolePages(exchange -> console.answer(exchange))),
                            encryption.find(ConsoleSettings.LISTENER_NAME));
            address = listen(settings);
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    private Metrics metrics() {
        return new Metrics(config, failures, calls);
    }

    private Console console() {
        return new Console(config.http().console(), health::ready, failures);
    }

    private @Nullable InetSocketAddress listen(HttpSettings settings) throws IOException {
        HostPort listener = settings.listener();
        if (listener == null) {
            return null;
        }
        Map<String, Page> all = new HashMap<>(consolePages(consoleAmong(settings.console(), listener)));
        all.put("/livez", health::live);
        all.put("/readyz", health::ready);
        all.put("/metrics", exchange -> metrics.all(exchange));
        all.put("/metrics/detailed", exchange -> metrics.detailed(exchange));
        Pages pages = new Pages(all);
        try {
            return server.listen(listener, pages, null);
        } catch (IOException e) {
            if (settings.mayMove()) {
                return server.listen(listener.withPort(0), pages, null);
            }
            throw e;
        }
    }

    private Page consoleAmong(ConsoleSettings settings, HostPort listener) {
        if (!settings.isOn()) {
            return Console::off;
        }
        return settings.listener() == null && listener.isLoopback()
                ? exchange -> console.answer(exchange)
                : Console::elsewhere;
    }

    private static Map<String, Page> consolePages(Page page) {
        return Map.of(Console.PATH, page, Console.PATH + "/*", page);
    }

    /** Where it listens; null if it does not. */
    @Nullable
    InetSocketAddress address() {
        return address;
    }

    /** Where the console alone is; null if it has no listener of its own. */
    @Nullable
    InetSocketAddress consoleAddress() {
        return consoleAddress;
    }

    /** Counts what topics receive and send; null if there is no page that shows it. */
    @Nullable
    TopicTraffic traffic() {
        return address == null ? null : metrics.traffic();
    }

    /** Counts calls; null if there is no page that shows them. */
    @Nullable
    RequestTimes calls() {
        return address == null ? null : calls;
    }

    /** This broker is one of several from now on. */
    synchronized void inCluster(Supplier<ClusterFacts> facts, ServerFacts clients) {
        cluster = facts;
        listeners = clients;
        metrics.inCluster(facts, clients);
        console.inCluster(facts);
    }

    /** Null in a broker by itself. */
    @Nullable
    Supplier<ClusterFacts> cluster() {
        return cluster;
    }

    // ---- the address of the console, for other brokers ----

    /**
     * The console as an endpoint beside those of the listeners; empty if others can't reach it.
     *
     * @param host by which others reach this broker
     */
    String consoleFor(String host) {
        ConsoleSettings settings = config.http().console();
        InetSocketAddress own = consoleAddress;
        InetSocketAddress bound = own != null ? own : address;
        if (!settings.isOn() || bound == null || bound.isUnresolved()) {
            return "";
        }
        InetAddress at = bound.getAddress();
        boolean isElsewhere = own == null && !at.isLoopbackAddress();
        boolean isOutOfReach = at.isLoopbackAddress() && !new HostPort(host, 0).isLoopback();
        if (isElsewhere || isOutOfReach) {
            return "";
        }
        String name = at.isAnyLocalAddress() || at.isLoopbackAddress() ? host : at.getHostAddress();
        String scheme = settings.tls() == null ? HTTP : HTTPS;
        return scheme + CONSOLE_ENDPOINT + "://" + name + ":" + bound.getPort();
    }

    /** The address of a console, from the endpoints of its broker; empty if they have none. */
    static String consoleAt(Endpoints endpoints) {
        for (String scheme : List.of(HTTPS, HTTP)) {
            HostPort place = endpoints.of(scheme + CONSOLE_ENDPOINT);
            if (place != null) {
                String host = place.host().contains(":") ? "[" + place.host() + "]" : place.host();
                return scheme + "://" + host + ":" + place.port() + Console.PATH + "/";
            }
        }
        return "";
    }

    /** Is notified how far the replay of the log is. */
    ReplayListener replay() {
        return health::replaying;
    }

    /** The store is opened, perhaps not for the first time. */
    synchronized void opening() {
        if (!isStopping) {
            health.opening();
            metrics.opening();
        }
    }

    /** Clients are served elsewhere from now on. What was shown of a store is over. */
    synchronized void following(String owner) {
        Metrics before = metrics;
        console.stopping();
        Metrics next = metrics();
        next.following(owner);
        Console nextConsole = console();
        Supplier<ClusterFacts> facts = cluster;
        ServerFacts clients = listeners;
        if (facts != null && clients != null) {
            next.inCluster(facts, clients);
            nextConsole.inCluster(facts);
        }
        metrics = next;
        console = nextConsole;
        before.close();
        if (isStopping) {
            console.stopping();
        } else {
            health.following(owner);
        }
    }

    /** Clients are served from now on. */
    synchronized void serving(ConsoleParts parts, LogViews views, ServerFacts clients) {
        ApiParts broker = parts.broker();
        metrics.serving(broker.store(), views, broker.readers(), clients);
        health.serving(broker.store());
        console.serving(parts);
    }

    /** For good: a shard that is given back at the end does not make this broker a follower. */
    synchronized void stopping() {
        isStopping = true;
        health.stopping();
        console.stopping();
    }

    @Override
    public void close() {
        server.close();
        metrics.close();
    }
}
