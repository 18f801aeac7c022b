package io.rivulet.prove.hostile;

import io.rivulet.prove.Check;
import io.rivulet.prove.process.BrokerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

/** Sends hostile frames to a broker with little heap. Immutable. */
public final class HostileCheck implements Check {
    private static final int POINTS = 200_000;
    private static final int FRAMES_OF_A_SEED = 100;
    /** So often another client must be served. */
    private static final int SEEDS_BETWEEN_GOOD_CLIENTS = 50;

    @Override
    public String name() {
        return "hostile";
    }

    @Override
    public String promise() {
        return "random and mutated requests of every API and version: none meets an unknown error, others are served,"
                + " threads and memory stay";
    }

    @Override
    public int points() {
        return POINTS;
    }

    @Override
    public int threads() {
        return Runtime.getRuntime().availableProcessors();
    }

    @Override
    public Points open(Path scratch, Path kept) throws Exception {
        BrokerProcess broker = BrokerProcess.start(
                scratch,
                List.of("-Xmx256m", "-XX:MaxDirectMemorySize=256m", "-XX:+ExitOnOutOfMemoryError"),
                Map.of(),
                Map.of(
                        "listeners",
                        "PLAINTEXT://localhost:0",
                        "log.dirs",
                        scratch.resolve("data").toString(),
                        "rivulet.tail.bytes",
                        String.valueOf(32 << 20),
                        "rivulet.cache.bytes",
                        String.valueOf(8 << 20),
                        "rivulet.max.queues",
                        "5000",
                        "group.initial.rebalance.delay.ms",
                        "0"));
        int port = broker.awaitReady();
        String complaint = GoodClient.complaint(port);
        if (complaint != null) {
            throw new IOException(complaint);
        }
        return new Attack(broker, port);
    }

    /** What is seen of the broker from outside. Immutable. */
    record Sight(boolean isAlive, Set<String> threads, long usedHeapBytes, List<String> errors) {
        private static final long MOST_HEAP_BYTES = 200 << 20;
        /** Threads of the virtual machine, and those that the broker ends when they are idle. */
        private static final Pattern PASSING = Pattern.compile(
                "(C[12] |Attach|Common-Cleaner|Notification|Service Thread|Signal|Monitor|Sweeper|Reference|Finalizer"
                        + "|DestroyJavaVM|RMI|JMX|main|produce-checks|long-produce|recompressor|group-regexes).*");

        static Sight of(BrokerProcess broker) throws IOException, InterruptedException {
            return broker.isAlive()
                    ? new Sight(true, broker.threads(), broker.usedHeapBytes(), broker.errors())
                    : new Sight(false, Set.of(), 0, broker.errors());
        }

        /** What is wrong now. */
        List<String> complaints(Sight before) {
            List<String> found = new ArrayList<>(errors);
            if (!isAlive) {
                found.add("the process has ended");
                return found;
            }
            before.threads.stream()
                    .filter(name ->
                            !threads.contains(name) && !PASSING.matcher(name).matches())
                    .forEach(name -> found.add("the thread " + name + " has ended"));
            if (usedHeapBytes > MOST_HEAP_BYTES) {
                found.add("after a full collection, " + (usedHeapBytes >> 20) + " MiB of heap are in use");
            }
            return found;
        }
    }

    /** Thread-safe. */
    private static final class Attack implements Points {
        private final BrokerProcess broker;
        private final int port;
        private final Sight before;
        private final AtomicLong seeds = new AtomicLong();

        Attack(BrokerProcess broker, int port) throws IOException, InterruptedException {
            this.broker = broker;
            this.port = port;
            this.before = Sight.of(broker);
        }

        @Override
        public Found run(long seed) throws IOException {
            List<String> violations = new ArrayList<>(new HostileClient(port, seed).send(FRAMES_OF_A_SEED));
            if (seeds.incrementAndGet() % SEEDS_BETWEEN_GOOD_CLIENTS == 0) {
                String complaint = GoodClient.complaint(port);
                if (complaint != null) {
                    violations.add(complaint);
                }
            }
            return new Found(FRAMES_OF_A_SEED, violations);
        }

        private List<String> complaintsNow() throws IOException {
            try {
                return new ArrayList<>(Sight.of(broker).complaints(before));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }

        @Override
        public void close() throws IOException {
            try (broker) {
                List<String> complaints = complaintsNow();
                String complaint = broker.isAlive() ? GoodClient.complaint(port) : null;
                if (complaint != null) {
                    complaints.add(complaint);
                }
                if (!complaints.isEmpty()) {
                    throw new IOException(String.join("\n  ", complaints));
                }
            }
        }
    }
}
