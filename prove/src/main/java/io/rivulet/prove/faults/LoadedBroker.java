package io.rivulet.prove.faults;

import io.rivulet.prove.load.MixedLoad;
import io.rivulet.prove.load.Target;
import io.rivulet.prove.process.BrokerProcess;
import io.rivulet.store.faults.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A broker process under load, which may be ended and started again. Owned by: one thread. */
final class LoadedBroker implements AutoCloseable {
    private static final int MOST_SHOWN = 3000;

    private final Path scratch;
    private final Map<String, String> environment;
    private final Map<String, String> overrides;
    private final int port;
    private final MixedLoad load;
    private final List<String> violations = new ArrayList<>();
    private BrokerProcess process;

    /** Starts a load. */
    interface Loading {
        MixedLoad start(Target target) throws Exception;
    }

    /** @param scratch the data are in its folder {@code data} */
    LoadedBroker(Path scratch, Map<String, String> environment, long seed) throws Exception {
        this(scratch, environment, Map.of(), target -> MixedLoad.start(target, seed));
    }

    /** @param overrides more of the configuration */
    LoadedBroker(Path scratch, Map<String, String> environment, Map<String, String> overrides, Loading loading)
            throws Exception {
        this.scratch = scratch;
        this.environment = environment;
        this.overrides = overrides;
        this.port = Ports.free();
        this.process = launch();
        process.awaitReady();
        this.load = loading.start(Target.of(port));
    }

    /** Starts the process, and does not wait. */
    private BrokerProcess launch() throws IOException {
        Map<String, String> all = new HashMap<>(overrides);
        all.put("listeners", "PLAINTEXT://localhost:" + port);
        all.put("log.dirs", scratch.resolve("data").toString());
        all.put("num.partitions", "3");
        all.put("log.cleaner.backoff.ms", "100");
        // so small that there are sweeps, checkpoints and merges
        all.put("rivulet.tail.bytes", String.valueOf(16 << 20));
        return BrokerProcess.start(scratch, List.of("-Xmx256m"), environment, all);
    }

    int port() {
        return port;
    }

    BrokerProcess process() {
        return process;
    }

    /** Starts the process again after its end, and leaves it while it starts. */
    BrokerProcess begin() throws IOException {
        process.close();
        process = launch();
        return process;
    }

    void restart() throws IOException {
        begin().awaitReady();
    }

    /** Returns whether the process still lives. */
    boolean awaitProgress(long more) {
        String wrong = load.awaitProgress(more, () -> !process.isAlive());
        if (wrong != null) {
            violations.add(wrong + "; the broker says: " + lastLines());
        }
        return process.isAlive();
    }

    private String lastLines() {
        try {
            String err = process.err();
            return err.substring(Math.max(0, err.length() - MOST_SHOWN));
        } catch (IOException e) {
            return e.toString();
        }
    }

    void violated(String what) {
        violations.add(what);
    }

    boolean isSound() {
        return violations.isEmpty();
    }

    /** Ends the load and reads everything back. */
    List<String> finish() throws InterruptedException {
        violations.addAll(load.finish(Target.of(port)));
        return violations;
    }

    @Override
    public void close() {
        load.close();
        process.close();
    }
}
