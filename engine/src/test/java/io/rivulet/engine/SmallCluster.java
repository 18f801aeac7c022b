package io.rivulet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.faults.Ports;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.bookkeeper.client.BookKeeper;
import org.apache.bookkeeper.client.BookKeeperAdmin;
import org.apache.bookkeeper.client.api.LedgerMetadata;
import org.apache.bookkeeper.conf.ClientConfiguration;
import org.apache.bookkeeper.net.BookieId;
import org.awaitility.Awaitility;

/** One member of ZooKeeper or more, and three bookies, each a process. Owned by: one thread. */
final class SmallCluster implements AutoCloseable {
    static final int BOOKIES = 3;

    private static final String HOST = "127.0.0.1";
    private static final String READY = "Bookie - ready";

    private final Path directory;
    private final List<Machine> ofKeepers;
    private final List<Machine> ofBookies;
    private final int keeperPort = Ports.free();
    private final int[] bookiePorts = new int[BOOKIES];
    private final List<ChildProcess> keepers = new ArrayList<>();
    private final List<ChildProcess> bookies = new ArrayList<>();

    SmallCluster(Path directory) throws IOException {
        this(directory, List.of(Machine.local(HOST)), Collections.nCopies(BOOKIES, Machine.local(HOST)));
    }

    /** @param ofKeepers an odd number of different ones */
    SmallCluster(Path directory, List<Machine> ofKeepers, List<Machine> ofBookies) throws IOException {
        this.directory = Files.createDirectories(directory);
        this.ofKeepers = ofKeepers;
        this.ofBookies = ofBookies;
        for (int i = 0; i < ofKeepers.size(); i++) {
            keepers.add(ChildProcess.engine(
                    ofKeepers.get(i),
                    directory.resolve("keeper" + i + ".log"),
                    arguments("keeper" + i, i + 1, "--keeper")));
        }
        for (int i = 0; i < ofKeepers.size(); i++) {
            awaitConnected(i);
        }
        for (int i = 0; i < BOOKIES; i++) {
            bookiePorts[i] = Ports.free();
            bookies.add(start(i));
        }
        bookies.forEach(bookie -> bookie.awaitOutput(READY));
    }

    private void awaitConnected(int keeper) {
        Awaitility.await()
                .ignoreExceptionsInstanceOf(IOException.class)
                .atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> {
                    ChildProcess process = keepers.get(keeper);
                    assertThat(process.isAlive()).as(process.output()).isTrue();
                    new Socket(ofKeepers.get(keeper).host(), keeperPort).close();
                });
    }

    private List<String> arguments(String data, int id, String... more) {
        List<String> arguments =
                new ArrayList<>(List.of("--data=" + directory.resolve(data), "--registry=" + registry(), "--id=" + id));
        arguments.addAll(List.of(more));
        return arguments;
    }

    private Path data(int bookie) {
        return directory.resolve("engine" + (bookie + 1));
    }

    private ChildProcess start(int bookie) throws IOException {
        Machine machine = ofBookies.get(bookie);
        return ChildProcess.engine(
                machine,
                directory.resolve("bookie" + bookie + ".log"),
                arguments(
                        "engine" + (bookie + 1),
                        1,
                        "--bookie",
                        "--bookie-port=" + bookiePorts[bookie],
                        "--advertise=" + machine.host()));
    }

    String registry() {
        return ofKeepers.stream()
                .map(machine -> machine.host() + ":" + keeperPort)
                .collect(Collectors.joining(","));
    }

    List<Machine> ofKeepers() {
        return ofKeepers;
    }

    List<Machine> ofBookies() {
        return ofBookies;
    }

    ChildProcess bookie(int number) {
        return bookies.get(number);
    }

    /** Starts a bookie that was killed, and does not wait. */
    void restart(int number) throws IOException {
        bookies.get(number).close();
        bookies.set(number, start(number));
    }

    void awaitReady(int number) {
        bookies.get(number).awaitOutput(READY);
    }

    /** The id that a bookie drew when its directory was made. */
    String idOf(int number) throws IOException {
        return Files.readString(data(number).resolve("bookie/id")).strip();
    }

    /** Waits until the registry has all bookies, and those only: a session lives on for seconds after a kill. */
    @SuppressWarnings("try") // nothing interrupts a test
    void awaitAll() throws Exception {
        try (BookKeeperAdmin admin = new BookKeeperAdmin(configuration())) {
            Awaitility.await()
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> admin.getAvailableBookies().size() == BOOKIES);
        }
    }

    private ClientConfiguration configuration() {
        return configuration(registry());
    }

    /** Of a client of the bookies with this registry. */
    static ClientConfiguration configuration(String registry) {
        ClientConfiguration configuration = new ClientConfiguration();
        configuration.setMetadataServiceUri("zk+hierarchical://" + registry.replace(',', ';') + "/ledgers");
        return configuration;
    }

    /** Waits until no ledger has entries on this bookie: all have been copied to others. */
    @SuppressWarnings("try") // nothing interrupts a test
    void awaitCopiesWithout(String id) throws Exception {
        BookieId gone = BookieId.parse(id);
        try (BookKeeperAdmin admin = new BookKeeperAdmin(configuration());
                BookKeeper client = BookKeeper.forConfig(configuration()).build()) {
            Awaitility.await()
                    .atMost(Duration.ofMinutes(5))
                    .pollInterval(Duration.ofMillis(200))
                    .until(() -> {
                        for (long ledger : admin.listLedgers()) {
                            LedgerMetadata metadata = client.getLedgerManager()
                                    .readLedgerMetadata(ledger)
                                    .handle((found, failure) -> found == null ? null : found.getValue())
                                    .get();
                            if (metadata != null
                                    && metadata.getAllEnsembles().values().stream()
                                            .anyMatch(ensemble -> ensemble.contains(gone))) {
                                return false;
                            }
                        }
                        return true;
                    });
        }
    }

    /** Removes the entries of a bookie that was killed. It comes back as another one. */
    void wipe(int number) throws IOException {
        try (var files = Files.walk(data(number).resolve("bookie"))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    @Override
    public void close() {
        bookies.forEach(ChildProcess::close);
        keepers.forEach(ChildProcess::close);
    }
}
