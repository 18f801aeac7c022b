package io.rivulet.prove.clock;

import io.rivulet.prove.clock.Probe.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** All probes, side by side. Owned by: one thread. */
public final class ClockProbes implements AutoCloseable {
    /** How long it takes until something ends, for clients or the broker. */
    public record Times(int sessionMillis, int transactionMillis, int lockMillis, int bytesPerSecond) {}

    /** Settings of the broker that allow short times. */
    public static final Map<String, String> BROKER = Map.of(
            "group.min.session.timeout.ms", "500",
            "group.initial.rebalance.delay.ms", "0",
            "group.share.min.record.lock.duration.ms", "1000");

    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "probe");
        thread.setDaemon(true);
        return thread;
    });
    private final List<Future<@Nullable String>> results = new ArrayList<>();

    private ClockProbes() {}

    /**
     * @param set what clients and broker are told
     * @param promised what must hold; the same, unless a test plants a bug
     * @param slackMillis how much later something may end
     */
    public static ClockProbes start(int port, Times set, Times promised, int slackMillis) {
        ClockProbes probes = new ClockProbes();
        // It counts from the last heartbeat, which was some time before the end of the client.
        probes.start(new SessionProbe(
                port,
                set.sessionMillis,
                new Promise(promised.sessionMillis / 2, promised.sessionMillis + slackMillis)));
        probes.start(new TransactionProbe(
                port,
                set.transactionMillis,
                new Promise(promised.transactionMillis, promised.transactionMillis + slackMillis)));
        probes.start(new ShareLockProbe(
                port, set.lockMillis, new Promise(promised.lockMillis, promised.lockMillis + slackMillis)));
        probes.start(new QuotaProbe(
                port,
                set.bytesPerSecond,
                new Promise(0, 1000 * QuotaProbe.BYTES / promised.bytesPerSecond + slackMillis)));
        return probes;
    }

    private void start(Probe probe) {
        results.add(threads.submit(probe::run));
    }

    public boolean isDone() {
        return results.stream().allMatch(Future::isDone);
    }

    /** Waits until all are done. Returns what is wrong. */
    public List<String> violations() throws InterruptedException {
        List<String> found = new ArrayList<>();
        for (Future<@Nullable String> result : results) {
            try {
                String wrong = result.get();
                if (wrong != null) {
                    found.add(wrong);
                }
            } catch (ExecutionException e) {
                found.add("a probe failed: " + e.getCause());
            }
        }
        return found;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
