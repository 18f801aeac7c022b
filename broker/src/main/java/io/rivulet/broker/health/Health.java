package io.rivulet.broker.health;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.rivulet.broker.http.HttpExchange;
import io.rivulet.store.Store;
import io.rivulet.store.StoreMetric;
import io.rivulet.store.failure.FailureLatch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Answers two questions. Live: do the threads move that everything depends on? Then a restart would help if not. Ready:
 * does the broker serve clients? A broker that replays its log is live and not ready. A follower is ready because it
 * passes clients on, also during a takeover: if all followers were unready then, each takeover would cut off all
 * clients, and end an upgrade. Thread-safe.
 */
public final class Health {
    /** The owner of a shard that nobody owns. */
    public static final String NOBODY = "nobody yet";

    /** A takeover takes seconds, so after this time it is none any more: clients wait in vain. */
    static final long WITHOUT_OWNER_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** How long an answer waits for signs of life. Probes of Kubernetes wait for a second by default. */
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final long LOOK_AGAIN_MILLIS = 10;
    private static final long DEAD_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long MIB = 1 << 20;

    private static final String FULL = "the disk is full, or a quota or the limit of open files is reached";

    private final FailureLatch failures;
    private final LongSupplier nanoTime;
    private final List<Pulse> eventLoops = new ArrayList<>();
    private volatile State state = State.OPENING;
    private volatile long replayedBytes;
    private volatile long replayBytes;

    /**
     * @param obstacle why clients are not served; empty if they are
     * @param store null before it is open
     * @param elsewhere where clients are served instead; empty if they are not
     * @param sinceNanos when {@code elsewhere} was new
     */
    private record State(
            String obstacle,
            @Nullable Store store,
            @Nullable Writer writer,
            String elsewhere,
            long sinceNanos) {
        static final State OPENING = new State("starting: the log is being read", null, null, "", 0);
    }

    /** The log writer answers, and says what it sees. */
    private static final class Writer {
        private final Pulse pulse;
        private volatile boolean stalled;

        Writer(Store store) {
            pulse = new Pulse(
                    "log-writer",
                    task -> store.whenWriterAnswers(() -> {
                        stalled = store.isStalled();
                        task.run();
                    }));
        }
    }

    public Health(
            Iterable<? extends Executor> eventLoops,
            Iterable<? extends Executor> acceptors,
            FailureLatch failures,
            LongSupplier nanoTime) {
        this.failures = failures;
        this.nanoTime = nanoTime;
        watch("event-loop-", eventLoops);
        watch("acceptor-", acceptors);
    }

    private void watch(String name, Iterable<? extends Executor> loops) {
        int number = 0;
        for (Executor loop : loops) {
            eventLoops.add(new Pulse(name + ++number, loop));
        }
    }

    /** The replay of the log is so far. */
    public void replaying(long doneBytes, long totalBytes) {
        replayBytes = totalBytes;
        replayedBytes = doneBytes;
    }

    /** Clients are served from now on. */
    public void serving(Store store) {
        state = new State("", store, new Writer(store), "", 0);
    }

    /** The store is opened, perhaps not for the first time. */
    public void opening() {
        state = State.OPENING;
    }

    /** Clients are served by that broker, or by {@link #NOBODY}. */
    public void following(String owner) {
        if (!state.elsewhere.equals(owner)) {
            state = new State("", null, null, owner, nanoTime.getAsLong());
        }
    }

    public void stopping() {
        State before = state;
        state = new State("stopping", before.store, null, "", 0);
    }

    // ---- pages ----

    /** 200 while all threads move that everything depends on; else 503 and the name of one that does not. */
    public void live(HttpExchange exchange) {
        ask(exchange, pulses -> answerIfDead(exchange, pulses), "alive");
    }

    /** 200 while clients are served; else 503 and the reason. */
    public void ready(HttpExchange exchange) {
        State now = state;
        Throwable failure = failures.cause();
        if (failure != null) {
            unavailable(exchange, "failed: thread " + failures.failedThread() + ": " + failure);
        } else if (now.elsewhere.equals(NOBODY) && nanoTime.getAsLong() - now.sinceNanos > WITHOUT_OWNER_NANOS) {
            long seconds = TimeUnit.NANOSECONDS.toSeconds(nanoTime.getAsLong() - now.sinceNanos);
            unavailable(exchange, "not ready: the shard has belonged to nobody for " + seconds + " s");
        } else if (!now.elsewhere.isEmpty()) {
            ask(exchange, pulses -> answerIfDead(exchange, pulses), "ready: the shard belongs to " + now.elsewhere);
        } else if (!now.obstacle.isEmpty() || now.store == null || now.writer == null) {
            unavailable(exchange, now.obstacle + (now.store == null ? progress() : ""));
        } else {
            Store store = now.store;
            Writer writer = now.writer;
            ask(exchange, pulses -> answerIfDead(exchange, pulses) || answerIfStuck(exchange, store, writer), "ready");
        }
    }

    /** Nothing if there is not much to replay. */
    private String progress() {
        long total = replayBytes;
        long percent = 100 * Math.min(total, replayedBytes) / Math.max(1, total);
        return total < MIB ? "" : ": " + percent + " % of " + total / MIB + " MiB";
    }

    private static boolean answerIfStuck(HttpExchange exchange, Store store, Writer writer) {
        Throwable failure = store.failure();
        if (failure != null) {
            unavailable(exchange, "failed: " + failure);
            return true;
        }
        if (writer.stalled) {
            unavailable(exchange, "the disk does not respond");
            return true;
        }
        if (store.metric(StoreMetric.LOG_REFUSES_APPENDS) > 0) {
            exchange.answer(HttpResponseStatus.OK, "ready to be read from, but records were refused: " + FULL);
            return true;
        }
        if (store.metric(StoreMetric.UPKEEP_WAITS_FOR_SPACE) > 0) {
            exchange.answer(HttpResponseStatus.OK, "ready while the log has space: " + FULL);
            return true;
        }
        return false;
    }

    private boolean answerIfDead(HttpExchange exchange, List<Pulse> pulses) {
        long now = nanoTime.getAsLong();
        for (Pulse pulse : pulses) {
            long silent = pulse.silentNanos(now);
            if (silent > DEAD_NANOS) {
                unavailable(
                        exchange,
                        "the thread " + pulse.thread() + " has not moved for " + TimeUnit.NANOSECONDS.toSeconds(silent)
                                + " s");
                return true;
            }
        }
        return false;
    }

    private static void unavailable(HttpExchange exchange, String reason) {
        exchange.answer(HttpResponseStatus.SERVICE_UNAVAILABLE, reason);
    }

    // ---- signs of life ----

    /** Asks all threads, waits a moment for their answers, and then answers unless {@code answered} has. */
    private void ask(HttpExchange exchange, Predicate<List<Pulse>> answered, String orElse) {
        List<Pulse> pulses = new ArrayList<>(eventLoops);
        Writer writer = state.writer;
        if (writer != null) {
            pulses.add(writer.pulse);
        }
        long now = nanoTime.getAsLong();
        pulses.forEach(pulse -> pulse.ask(now));
        look(exchange, pulses, now + PATIENCE_NANOS, () -> {
            if (!answered.test(pulses)) {
                exchange.answer(HttpResponseStatus.OK, orElse);
            }
        });
    }

    private void look(HttpExchange exchange, List<Pulse> pulses, long untilNanos, Runnable then) {
        long now = nanoTime.getAsLong();
        boolean allMoved = pulses.stream().allMatch(pulse -> pulse.silentNanos(now) == 0);
        if (allMoved || now - untilNanos >= 0) {
            then.run();
        } else {
            exchange.later(LOOK_AGAIN_MILLIS, () -> look(exchange, pulses, untilNanos, then));
        }
    }
}
