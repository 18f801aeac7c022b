package io.rivulet.broker.console;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.rivulet.broker.access.AccessControl;
import io.rivulet.broker.access.Principal;
import io.rivulet.broker.config.ConsoleSettings;
import io.rivulet.broker.http.HttpAnswer;
import io.rivulet.broker.http.HttpExchange;
import io.rivulet.broker.http.HttpProblem;
import io.rivulet.broker.http.Page;
import io.rivulet.broker.metrics.ClusterFacts;
import io.rivulet.broker.net.ListenerSecurity;
import io.rivulet.store.failure.FailureLatch;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** All pages of the console. It makes what it needs with the first request. Thread-safe. */
public final class Console {
    public static final String PATH = "/console";

    private static final String STATE_PATH = ConsoleApi.PATH + "state";
    /** Who owns the shard; only in a cluster. */
    private static final String SHARD_PATH = ConsoleApi.PATH + "shard";

    private final ConsoleSettings settings;
    private final Page state;
    private final FailureLatch failures;
    private volatile @Nullable ConsoleParts parts;
    /** Null in a broker by itself. */
    private volatile @Nullable Supplier<ClusterFacts> cluster;

    private volatile boolean stopping;
    /** Null before the first request. Written by the thread of the pages. */
    private volatile @Nullable Guard guard;
    /** Null before the first request for data. Written by the thread of the pages. */
    private volatile @Nullable ConsoleApi api;
    /** Null before the first login. Written by the thread of the pages. */
    private volatile @Nullable Entrance entrance;

    /** @param state says whether the broker serves clients, and why not; also while it starts */
    public Console(ConsoleSettings settings, Page state, FailureLatch failures) {
        this.settings = settings;
        this.state = state;
        this.failures = failures;
    }

    /** This broker is one of several, which may serve clients instead. */
    public void inCluster(Supplier<ClusterFacts> facts) {
        cluster = facts;
    }

    /** Clients are served from now on. */
    public void serving(ConsoleParts ofBroker) {
        parts = ofBroker;
    }

    public void stopping() {
        stopping = true;
        ConsoleApi running = api;
        if (running != null) {
            running.stop();
        }
        Entrance used = entrance;
        if (used != null) {
            used.stop();
        }
    }

    /** The page of this path. */
    public void answer(HttpExchange exchange) {
        Guard checks = guard();
        checks.check(exchange);
        // Read once: a request that came before the rules were known must not see data after that.
        ConsoleParts known = parts;
        if (!settings.login()) {
            if (known != null) {
                AccessControl rules = known.security().accessControl();
                exchange.enter(rules.of(Principal.ANONYMOUS, exchange.clientHost()));
            }
            admitted(known, checks, exchange);
        } else if (known != null) {
            entrance(known).enter(exchange, () -> admitted(known, checks, exchange));
        } else if (cluster != null) {
            admitted(null, checks, exchange); // who owns the shard is no secret: /readyz says it, too
        } else {
            state.answer(exchange); // the users in the log are not known yet
        }
    }

    private void admitted(@Nullable ConsoleParts of, Guard checks, HttpExchange exchange) {
        String path = exchange.path().substring(PATH.length());
        if (path.startsWith(ConsoleApi.PATH)) {
            checks.checkData(exchange);
            if (path.equals(STATE_PATH)) {
                state.answer(exchange);
                return;
            }
            Supplier<ClusterFacts> facts = cluster;
            if (facts != null && path.equals(SHARD_PATH)) {
                exchange.answer(ConsoleApi.json(ShardJson.write(new JsonWriter(), facts.get())));
                return;
            }
            if (exchange.isPost()) {
                checks.checkChange(exchange);
            }
            api(of, checks).answer(path.substring(ConsoleApi.PATH.length()), exchange);
        } else {
            file(path, exchange);
        }
    }

    private static void file(String path, HttpExchange exchange) {
        if (exchange.isPost()) {
            throw new HttpProblem(HttpResponseStatus.METHOD_NOT_ALLOWED, "a file can only be read");
        }
        if (path.isEmpty()) {
            Map<String, String> place = Map.of("Location", PATH + "/");
            exchange.answer(new HttpAnswer(
                    HttpResponseStatus.PERMANENT_REDIRECT, HttpAnswer.TEXT, place, Unpooled.EMPTY_BUFFER));
            return;
        }
        HttpAnswer file = PageFiles.find(path.substring(1));
        if (file == null) {
            throw new HttpProblem(HttpResponseStatus.NOT_FOUND, "there is no page " + exchange.path());
        }
        exchange.answer(file);
    }

    private Entrance entrance(ConsoleParts of) {
        Entrance there = entrance;
        if (there == null) {
            ListenerSecurity security = of.security();
            there = new Entrance(
                    security.logins().passwords(), security.accessControl(), settings.failureDelayMillis(), failures);
            entrance = there;
            if (stopping) {
                there.stop(); // stopping() may have come before
            }
        }
        return there;
    }

    private Guard guard() {
        Guard known = guard;
        if (known == null) {
            known = new Guard(settings);
            guard = known;
        }
        return known;
    }

    private ConsoleApi api(@Nullable ConsoleParts of, Guard checks) {
        if (of == null || stopping) {
            String why = stopping
                    ? "the broker is stopping"
                    : cluster != null ? "another broker owns the log" : "the broker is starting: the log is being read";
            throw new HttpProblem(HttpResponseStatus.SERVICE_UNAVAILABLE, why);
        }
        ConsoleApi there = api;
        if (there == null) {
            there = new ConsoleApi(of, checks.token());
            api = there;
        }
        return there;
    }

    /** Says that there is no console. */
    public static void off(HttpExchange exchange) {
        exchange.answer(HttpResponseStatus.FORBIDDEN, "the console is off; rivulet.console=on turns it on");
    }

    /** Says that the console is not here. */
    public static void elsewhere(HttpExchange exchange) {
        exchange.answer(
                HttpResponseStatus.FORBIDDEN,
                "the console is served on a loopback address only, or where rivulet.console.listener says");
    }
}
