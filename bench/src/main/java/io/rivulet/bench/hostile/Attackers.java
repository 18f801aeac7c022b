package io.rivulet.bench.hostile;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Repeats attacks until it is closed, each on its own daemon thread. Thread-safe. */
final class Attackers implements AutoCloseable {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final int port;
    private final List<Running> running = new ArrayList<>();
    private volatile boolean closed;

    Attackers(int port, List<Attack> attacks) {
        this.port = port;
        for (Attack attack : attacks) {
            Running one = new Running(attack);
            running.add(one);
            Thread thread = new Thread(() -> repeat(one), "attack: " + attack.name());
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void repeat(Running one) {
        while (!closed) {
            try {
                one.attack.burst().run(port);
                one.completed.incrementAndGet();
            } catch (IOException | RuntimeException e) {
                one.refused.incrementAndGet();
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** For each attack, how many bursts ended normally and how many the broker ended. */
    List<String> counts() {
        return running.stream()
                .map(one -> one.attack.name() + ": " + one.completed + " bursts completed, " + one.refused + " refused")
                .toList();
    }

    @Override
    public void close() {
        closed = true;
    }

    private record Running(Attack attack, AtomicLong completed, AtomicLong refused) {
        Running(Attack attack) {
            this(attack, new AtomicLong(), new AtomicLong());
        }
    }
}
