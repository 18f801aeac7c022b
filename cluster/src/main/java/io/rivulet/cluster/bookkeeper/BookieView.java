package io.rivulet.cluster.bookkeeper;

import io.rivulet.cluster.engine.Engine.Versioned;
import io.rivulet.store.shard.ShardStatus.Bookie;
import io.rivulet.store.shard.ShardStatus.BookieState;
import io.rivulet.store.shard.ShardStatus.Ledger;
import io.rivulet.store.shard.ShardStatus.LedgerState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.bookkeeper.client.BKException;
import org.apache.bookkeeper.client.BookKeeper;
import org.apache.bookkeeper.client.LedgerHandle;
import org.apache.bookkeeper.client.api.LedgerMetadata;
import org.apache.bookkeeper.discover.BookieServiceInfo;
import org.apache.bookkeeper.discover.RegistrationClient;
import org.apache.bookkeeper.meta.LedgerManager;
import org.apache.bookkeeper.net.BookieId;
import org.jspecify.annotations.Nullable;

/** Reads what bookies and registry say about ledgers, and changes nothing. Owned by: one thread. */
public final class BookieView implements AutoCloseable {
    private static final long UNKNOWN = -1;
    /** Of one question while all ledgers are listed. */
    private static final long LIST_MILLIS = TimeUnit.SECONDS.toMillis(10);
    /** So many questions are under way at a time. */
    private static final int AT_ONCE = 500;

    private final BookKeeper client;

    /** @param registry host:port, separated by commas, of ZooKeeper */
    public BookieView(String registry) throws IOException {
        client = BookKeeperEngine.client(BookKeeperEngine.configuration(registry));
    }

    /** The record of a log that belongs to one broker; null if there is none. */
    public static @Nullable Versioned record(String registry, String log) throws IOException {
        try (Records records = new Records(registry)) {
            return records.load(log);
        }
    }

    /** The names of all logs that belong to one broker. */
    public static List<String> records(String registry) throws IOException {
        try (Records records = new Records(registry)) {
            return records.names();
        }
    }

    // ---- ledgers ----

    /** In the order of the ids. */
    public List<Ledger> ledgers(List<Long> ids) throws IOException {
        List<Ledger> ledgers = new ArrayList<>();
        List<@Nullable LedgerMetadata> found = metadata(ids);
        for (int i = 0; i < ids.size(); i++) {
            ledgers.add(ledger(ids.get(i), found.get(i)));
        }
        return ledgers;
    }

    /** Null for those that are not there. */
    private List<@Nullable LedgerMetadata> metadata(List<Long> ids) throws IOException {
        List<@Nullable LedgerMetadata> found = new ArrayList<>();
        for (int from = 0; from < ids.size(); from += AT_ONCE) {
            var asked = ids.subList(from, Math.min(ids.size(), from + AT_ONCE)).stream()
                    .map(id -> client.getLedgerManager().readLedgerMetadata(id))
                    .toList();
            for (var answer : asked) {
                try {
                    found.add(BookKeeperEngine.get(answer).getValue());
                } catch (BKException.BKNoSuchLedgerExistsException
                        | BKException.BKNoSuchLedgerExistsOnMetadataServerException e) {
                    found.add(null);
                } catch (BKException e) {
                    throw new IOException("the registry does not say what a ledger is: " + e.getMessage(), e);
                }
            }
        }
        return found;
    }

    private Ledger ledger(long id, @Nullable LedgerMetadata metadata) throws IOException {
        if (metadata == null) {
            return new Ledger(id, LedgerState.MISSING, UNKNOWN, UNKNOWN, 0, 0, List.of());
        }
        long entries = metadata.getLastEntryId() + 1;
        long bytes = metadata.getLength();
        if (!metadata.isClosed()) {
            long[] sofar = written(id);
            entries = sofar[0];
            bytes = sofar[1];
        }
        return new Ledger(
                id,
                state(metadata),
                entries,
                bytes,
                Math.max(0, metadata.getCtime()),
                metadata.getWriteQuorumSize(),
                metadata.getAllEnsembles().lastEntry().getValue().stream()
                        .map(BookieId::toString)
                        .toList());
    }

    private static LedgerState state(LedgerMetadata metadata) {
        return switch (metadata.getState()) {
            case OPEN -> LedgerState.OPEN;
            case IN_RECOVERY -> LedgerState.IN_RECOVERY;
            case CLOSED -> LedgerState.CLOSED;
        };
    }

    /** Entries and bytes that its writer has acknowledged, as its bookies know; it is not disturbed. */
    private long[] written(long id) throws IOException {
        try {
            LedgerHandle ledger =
                    client.openLedgerNoRecovery(id, BookKeeperEngine.DIGEST, BookKeeperEngine.NO_PASSWORD);
            try {
                return new long[] {ledger.getLastAddConfirmed() + 1, ledger.getLength()};
            } finally {
                ledger.close();
            }
        } catch (BKException e) {
            return new long[] {UNKNOWN, UNKNOWN}; // too few of its bookies answer
        } catch (InterruptedException e) {
            throw BookKeeperEngine.interrupted(e);
        }
    }

    /** The ids of all ledgers that were made for this log. Looks at the ledgers of all logs. */
    public List<Long> ledgersOf(String log) throws IOException {
        List<Long> all = new ArrayList<>();
        LedgerManager.LedgerRangeIterator ranges = client.getLedgerManager().getLedgerRanges(LIST_MILLIS);
        while (ranges.hasNext()) {
            all.addAll(ranges.next().getLedgers());
        }
        byte[] name = log.getBytes(StandardCharsets.UTF_8);
        List<@Nullable LedgerMetadata> found = metadata(all);
        List<Long> own = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            LedgerMetadata metadata = found.get(i);
            if (metadata != null
                    && Arrays.equals(name, metadata.getCustomMetadata().get(BookKeeperEngine.LOG_KEY))) {
                own.add(all.get(i));
            }
        }
        return own;
    }

    // ---- bookies ----

    /** By id. */
    public List<Bookie> bookies() throws IOException {
        RegistrationClient registration = client.getMetadataClientDriver().getRegistrationClient();
        Map<String, Bookie> found = new TreeMap<>();
        try {
            for (BookieId id :
                    BookKeeperEngine.get(registration.getAllBookies()).getValue()) {
                found.put(id.toString(), new Bookie(id.toString(), "", BookieState.LOST));
            }
            for (BookieId id :
                    BookKeeperEngine.get(registration.getReadOnlyBookies()).getValue()) {
                found.put(id.toString(), new Bookie(id.toString(), address(registration, id), BookieState.READ_ONLY));
            }
            for (BookieId id :
                    BookKeeperEngine.get(registration.getWritableBookies()).getValue()) {
                found.put(id.toString(), new Bookie(id.toString(), address(registration, id), BookieState.WRITABLE));
            }
        } catch (BKException e) {
            throw new IOException("nobody says which bookies there are: " + e.getMessage(), e);
        }
        return List.copyOf(found.values());
    }

    /** Empty if it has just left. */
    private static String address(RegistrationClient registration, BookieId id) throws IOException {
        CompletableFuture<org.apache.bookkeeper.versioning.Versioned<BookieServiceInfo>> asked =
                registration.getBookieServiceInfo(id);
        try {
            return BookKeeperEngine.get(asked).getValue().getEndpoints().stream()
                    .filter(endpoint -> endpoint.getProtocol().equals("bookie-rpc"))
                    .map(endpoint -> endpoint.getHost() + ":" + endpoint.getPort())
                    .findFirst()
                    .orElse("");
        } catch (BKException e) {
            return "";
        }
    }

    @Override
    public void close() throws IOException {
        try {
            client.close();
        } catch (BKException e) {
            throw new IOException("the client of BookKeeper does not close", e);
        } catch (InterruptedException e) {
            throw BookKeeperEngine.interrupted(e);
        }
    }
}
