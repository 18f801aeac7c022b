package io.rivulet.prove.flood;

import io.rivulet.broker.client.ClientException;
import io.rivulet.prove.Check;
import io.rivulet.prove.hostile.GoodClient;
import io.rivulet.prove.process.BrokerProcess;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Floods a broker with little memory, by turns with none, and measures another client meanwhile. Immutable. */
public final class FloodCheck implements Check {
    private static final List<Flood> FLOODS = List.of(Flood.values());
    private static final int SHORT_PAIRS = 2;
    private static final int SHORT_EXCHANGES = 400;
    private static final int LONG_PAIRS = 9;
    private static final int LONG_EXCHANGES = 3000;
    private static final int P99_OF = 100;
    private static final int WARM_UP = 1000;
    private static final int LARGE_RECORDS = 64;
    private static final int LARGE_BYTES = 64 << 10;
    private static final long MOST_NANOS_UNTIL_REST = TimeUnit.SECONDS.toNanos(60);
    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    /** Beside the connections of the crowd. */
    private static final int OTHER_FILES = 500;

    private final boolean isThorough;

    public FloodCheck() {
        this(false);
    }

    /** @param isThorough whether the ratio is judged, from more turns */
    private FloodCheck(boolean isThorough) {
        this.isThorough = isThorough;
    }

    @Override
    public Check thorough() {
        return new FloodCheck(true);
    }

    @Override
    public String name() {
        return "floods";
    }

    @Override
    public String promise() {
        return "half frames, 10,000 silent connections, no descriptors, slow readers, connect storms: others are"
                + " served, 64 MiB at most; with --minutes also: their p99 at most doubles";
    }

    @Override
    public int points() {
        return FLOODS.size();
    }

    @Override
    public Points open(Path scratch, Path kept) throws IOException {
        requireFiles(Flood.MOST_CONNECTIONS + OTHER_FILES);
        return seed -> {
            Flood flood = FLOODS.get(Math.floorMod(seed, FLOODS.size()));
            Path own = Files.createDirectory(scratch.resolve("floods-" + seed));
            Measured measured = measure(own, flood, seed, Map.of());
            return new Found(
                    1,
                    measured.complaints(isThorough).stream()
                            .map(line -> flood.title() + ": " + line)
                            .toList(),
                    List.of(flood.title() + ": " + measured.figures()));
        };
    }

    /** @throws IOException if this process may not open so many files */
    private static void requireFiles(int wanted) throws IOException {
        Path limits = Path.of("/proc/self/limits");
        if (!Files.isReadable(limits)) {
            return; // not Linux
        }
        for (String line : Files.readAllLines(limits)) {
            String[] words = line.trim().split("\\s{2,}", -1);
            if (words[0].equals("Max open files")
                    && !words[1].equals("unlimited")
                    && Integer.parseInt(words[1]) < wanted) {
                throw new IOException("the check opens " + wanted + " files at each end of its connections, and this"
                        + " process may open " + words[1] + ": use ulimit -n " + wanted + " before");
            }
        }
    }

    /** All of the heap is resident from the start: its garbage is not counted. */
    private static BrokerProcess start(Path scratch, Flood flood, Map<String, String> more) throws IOException {
        Map<String, String> overrides = new HashMap<>(Map.of(
                "listeners",
                "PLAINTEXT://localhost:0",
                "log.dirs",
                scratch.resolve("data").toString(),
                "rivulet.tail.bytes",
                String.valueOf(32 << 20),
                "rivulet.cache.bytes",
                String.valueOf(8 << 20),
                "rivulet.response.bytes",
                String.valueOf(32 << 20)));
        overrides.putAll(more);
        return BrokerProcess.start(
                scratch,
                flood == Flood.DESCRIPTORS ? Flood.FEW_FILES : BrokerProcess.ANY_FILES,
                List.of("-Xms256m", "-Xmx256m", "-XX:MaxDirectMemorySize=256m", "-XX:+AlwaysPreTouch"),
                Map.of(),
                overrides);
    }

    /** @param more keys of the broker's configuration: tests plant bugs here */
    Measured measure(Path scratch, Flood flood, long seed, Map<String, String> more) throws Exception {
        try (BrokerProcess broker = start(scratch, flood, more)) {
            return measure(broker, broker.awaitReady(), flood, seed);
        }
    }

    private Measured measure(BrokerProcess broker, int port, Flood flood, long seed) throws Exception {
        GoodClient.fill(port, Flood.LARGE_TOPIC, LARGE_RECORDS, LARGE_BYTES);
        List<Measured.Pair> pairs = new ArrayList<>();
        String newcomer = null;
        try (Pulse pulse = new Pulse(port)) {
            pulse.nanos(WARM_UP);
            long filesBefore = broker.openFiles();
            long before = memory(broker);
            long during = before;
            try {
                for (int i = 0; i < (isThorough ? LONG_PAIRS : SHORT_PAIRS) && newcomer == null; i++) {
                    long calm = p99(pulse);
                    Crowd crowd = flood.begin(port, new Random(seed));
                    try {
                        pairs.add(new Measured.Pair(calm, p99(pulse)));
                        newcomer = GoodClient.complaint(port);
                        // A broker without descriptors can't answer jcmd, and then it waits forever.
                        during = newcomer == null ? Math.max(during, memory(broker)) : during;
                    } finally {
                        crowd.close();
                    }
                    awaitFiles(broker, filesBefore);
                }
                pulse.nanos(1);
            } catch (ClientException | SocketTimeoutException e) {
                newcomer = "another client is not served: " + e.getMessage();
            }
            boolean isAlive = broker.isAlive();
            return new Measured(
                    pairs,
                    newcomer,
                    during - before,
                    filesBefore,
                    isAlive ? broker.openFiles() : 0,
                    isAlive,
                    broker.errors());
        }
    }

    private long p99(Pulse pulse) {
        long[] nanos = pulse.nanos(isThorough ? LONG_EXCHANGES : SHORT_EXCHANGES);
        return nanos[nanos.length - 1 - nanos.length / P99_OF];
    }

    /** Resident memory, and the part of the heap that is in use. */
    private static long memory(BrokerProcess broker) throws IOException, InterruptedException {
        return broker.isAlive() ? broker.usedHeapBytes() + broker.residentBytes() : 0;
    }

    /** Waits until the broker has closed the connections of the crowd. */
    private static void awaitFiles(BrokerProcess broker, long before) throws IOException {
        long endNanos = System.nanoTime() + MOST_NANOS_UNTIL_REST;
        while (broker.isAlive()
                && broker.openFiles() > before + Measured.MORE_FILES
                && System.nanoTime() - endNanos < 0) {
            LockSupport.parkNanos(REST_NANOS);
        }
    }
}
