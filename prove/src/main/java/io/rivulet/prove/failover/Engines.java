package io.rivulet.prove.failover;

import io.rivulet.prove.Runner;
import io.rivulet.prove.process.EngineProcess;
import io.rivulet.store.faults.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One member of ZooKeeper and three bookies, each a process. Owned by: one thread. */
final class Engines implements AutoCloseable {
    static final int BOOKIES = 3;

    private final Path directory;
    private final int keeperPort = Ports.free();
    private final int[] bookiePorts = new int[BOOKIES];
    private final List<EngineProcess> bookies = new ArrayList<>();
    private EngineProcess keeper;

    Engines(Path directory) throws IOException {
        this.directory = directory;
        keeper = startKeeper();
        keeper.awaitReady();
        for (int i = 0; i < BOOKIES; i++) {
            bookiePorts[i] = Ports.free();
            bookies.add(start(i));
        }
        awaitReady();
    }

    private EngineProcess startKeeper() throws IOException {
        return EngineProcess.keeper(directory.resolve("keeper"), keeperPort);
    }

    private EngineProcess start(int bookie) throws IOException {
        return EngineProcess.bookie(home(bookie), bookiePorts[bookie], keeperPort);
    }

    private Path home(int bookie) {
        return directory.resolve("bookie" + bookie);
    }

    /** Of ZooKeeper. */
    String registry() {
        return "localhost:" + keeperPort;
    }

    EngineProcess bookie(int number) {
        return bookies.get(number);
    }

    /** Starts a bookie that was killed, and does not wait. */
    void restart(int number) throws IOException {
        bookies.get(number).close();
        bookies.set(number, start(number));
    }

    /** Removes what a bookie has that was killed. It comes back as another one. */
    void wipe(int number) throws IOException {
        Runner.delete(home(number).resolve("bookie"));
    }

    /** Waits until all bookies serve. */
    void awaitReady() throws IOException {
        for (EngineProcess bookie : bookies) {
            bookie.awaitReady();
        }
    }

    void kill() throws InterruptedException {
        for (EngineProcess bookie : bookies) {
            bookie.kill();
        }
        keeper.kill();
    }

    /** Starts all that were killed, and does not wait for bookies. */
    void restart() throws IOException {
        keeper.close();
        keeper = startKeeper();
        keeper.awaitReady();
        for (int i = 0; i < BOOKIES; i++) {
            restart(i);
        }
    }

    /** What is wrong with those that must live; empty if nothing is. */
    String complaint() throws IOException {
        for (EngineProcess bookie : bookies) {
            if (!bookie.isAlive()) {
                return "a bookie has ended: " + bookie.err();
            }
        }
        return keeper.isAlive() ? "" : "ZooKeeper has ended: " + keeper.err();
    }

    @Override
    public void close() {
        bookies.forEach(EngineProcess::close);
        keeper.close();
    }
}
