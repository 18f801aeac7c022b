package io.rivulet.bench.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Three engines on this machine, each a member of ZooKeeper and a bookie, and their data, which {@link #close} deletes.
 * Owned by: the command's thread.
 */
final class Engines implements AutoCloseable {
    private static final int COUNT = 3;
    /** A member uses its port and the next two, so the first ports are this far apart. */
    private static final int PORTS_OF_MEMBER = 3;

    private static final int MOST_TRIES = 50;
    private static final long READY_SECONDS = 120;
    private static final long BETWEEN_PROBES_MILLIS = 50;

    private final List<Daemon> engines = new ArrayList<>();
    private final String registry;

    private Engines(String registry) {
        this.registry = registry;
    }

    /** Returns when all of them are ready. */
    static Engines start(Lab lab, Path directory) throws IOException, BrokerFailedException {
        List<Integer> members = new ArrayList<>();
        for (int tries = 0; members.size() < COUNT; tries++) {
            int port = Lab.freePort();
            boolean free = Lab.isFree(port + 1) && Lab.isFree(port + 2);
            if (free && members.stream().noneMatch(other -> Math.abs(other - port) < PORTS_OF_MEMBER)) {
                members.add(port);
            }
            if (tries == MOST_TRIES) {
                throw new IOException("no three free ports in a row after " + tries + " tries");
            }
        }
        String registry = members.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
        Engines engines = new Engines(registry);
        try {
            for (int id = 1; id <= COUNT; id++) {
                engines.add(lab, Files.createTempDirectory(directory, "engine-"), id);
            }
            engines.awaitReady();
            return engines;
        } catch (IOException | BrokerFailedException | RuntimeException e) {
            engines.close();
            throw e;
        }
    }

    private void add(Lab lab, Path home, int id) throws IOException {
        List<String> command = List.of(
                Lab.inProject("bin/rivulet").toString(),
                "engine",
                "--data",
                home.resolve("data").toString(),
                "--registry",
                registry,
                "--id",
                Integer.toString(id),
                "--bookie-port",
                Integer.toString(Lab.freePort()));
        Daemon engine = new Daemon(lab, command, home, "");
        engines.add(engine);
        engine.start();
    }

    private void awaitReady() throws IOException, BrokerFailedException {
        Await.until(this::areReady, READY_SECONDS, BETWEEN_PROBES_MILLIS, () -> "engines: " + complaints());
    }

    private boolean areReady() throws IOException, BrokerFailedException {
        for (Daemon engine : engines) {
            if (!engine.isAlive()) {
                throw new BrokerFailedException("an engine ends: " + engine.complaint());
            }
            if (engine.output().lines().noneMatch(line -> line.endsWith("ready"))) {
                return false;
            }
        }
        return true;
    }

    private String complaints() throws IOException {
        List<String> lines = new ArrayList<>();
        for (Daemon engine : engines) {
            lines.add(engine.complaint());
        }
        return String.join("; ", lines);
    }

    /** The value of rivulet.cluster. */
    String registry() {
        return registry;
    }

    /** User and system time of all of them. */
    double cpuSeconds() throws IOException {
        double sum = 0;
        for (Daemon engine : engines) {
            sum += engine.cpuSeconds();
        }
        return sum;
    }

    /** Of all of them. */
    double residentMib() throws IOException {
        double sum = 0;
        for (Daemon engine : engines) {
            sum += engine.residentMib();
        }
        return sum;
    }

    @Override
    public void close() throws IOException {
        for (Daemon engine : engines) {
            engine.close();
        }
    }
}
