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

/**
 * Floods a broker with little memory, and by turns another one of the machine, so that what a flood takes from the
 * machine is in both. Measures another client of the first one. Immutable.
 */
public final class FloodCheck implements Check {
    private static final List<Flood> FLOODS = List.of(Flood.values());
    private static final int SHORT_TURNS = 2;
    private static final int SHORT_EXCHANGES = 400;
    private static final int LONG_TURNS = 9;
    private static final int LONG_EXCHANGES = 3000;
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
                + " served, 64 MiB at most; with --minutes also: their p99 is at most twice that with a flood at"
                + " another broker";
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
        Path beside = Files.createDirectory(scratch.resolve("beside"));
        try (BrokerProcess broker = start(scratch, flood, more);
                BrokerProcess other = start(beside, flood, more)) {
            return measure(new Flooded(broker, flood, seed), new Flooded(other, flood, seed));
        }
    }

    /** Measures a client of one broker, while by turns the other one and this one are flooded. */
    private Measured measure(Flooded broker, Flooded other) throws Exception {
        Turns turns = new Turns(new ArrayList<>(), new ArrayList<>());
        String newcomer = null;
        try (Pulse pulse = new Pulse(broker.port)) {
            pulse.nanos(WARM_UP);
            long took = 0;
            try {
                for (int i = 0; i < (isThorough ? LONG_TURNS : SHORT_TURNS) && newcomer == null; i++) {
                    turns.elsewhere().add(nanosDuringFloodOf(other, pulse));
                    long before = broker.memory();
                    Crowd crowd = broker.crowd();
                    try {
                        turns.here().add(nanos(pulse));
                        newcomer = GoodClient.complaint(broker.port);
                        // A broker without descriptors can't answer jcmd, and then it waits forever.
                        took = newcomer == null ? Math.max(took, broker.memory() - before) : took;
                    } finally {
                        crowd.close();
                    }
                    broker.awaitFiles();
                }
                pulse.nanos(1);
            } catch (ClientException | SocketTimeoutException e) {
                newcomer = "another client is not served: " + e.getMessage();
            }
            boolean isAlive = broker.process.isAlive();
            return new Measured(
                    turns,
                    newcomer,
                    took,
                    broker.filesBefore,
                    isAlive ? broker.process.openFiles() : 0,
                    isAlive,
                    broker.process.errors());
        }
    }

    private long[] nanosDuringFloodOf(Flooded other, Pulse pulse) throws IOException {
        Crowd crowd = other.crowd();
        try {
            return nanos(pulse);
        } finally {
            crowd.close();
            other.awaitFiles();
        }
    }

    private long[] nanos(Pulse pulse) {
        return pulse.nanos(isThorough ? LONG_EXCHANGES : SHORT_EXCHANGES);
    }

    /** A broker, and the flood for it. Immutable. */
    private static final class Flooded {
        private final BrokerProcess process;
        private final Flood flood;
        private final long seed;
        private final int port;
        private final long filesBefore;

        Flooded(BrokerProcess process, Flood flood, long seed) throws Exception {
            this.process = process;
            this.flood = flood;
            this.seed = seed;
            port = process.awaitReady();
            GoodClient.fill(port, Flood.LARGE_TOPIC, LARGE_RECORDS, LARGE_BYTES);
            filesBefore = process.openFiles();
        }

        Crowd crowd() throws IOException {
            return flood.begin(port, new Random(seed));
        }

        /** Resident memory, and the part of the heap that is in use. */
        long memory() throws IOException, InterruptedException {
            return process.isAlive() ? process.usedHeapBytes() + process.residentBytes() : 0;
        }

        /** Waits until the broker has closed the connections of the crowd. */
        void awaitFiles() throws IOException {
            long endNanos = System.nanoTime() + MOST_NANOS_UNTIL_REST;
            while (process.isAlive()
                    && process.openFiles() > filesBefore + Measured.MORE_FILES
                    && System.nanoTime() - endNanos < 0) {
                LockSupport.parkNanos(REST_NANOS);
            }
        }
    }
}
