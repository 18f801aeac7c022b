package io.rivulet.cluster.bookkeeper;

import io.rivulet.cluster.engine.Answer;
import io.rivulet.cluster.engine.Engine;
import io.rivulet.cluster.engine.ForwardingEngine;
import io.rivulet.cluster.engine.Ledger;
import io.rivulet.cluster.ledger.LedgerLogConfig;
import io.rivulet.cluster.ledger.LedgerLogLocation;
import io.rivulet.store.io.Disk;
import io.rivulet.store.log.LogLocation;
import io.rivulet.store.log.LogService;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Enumeration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.bookkeeper.client.BKException;
import org.apache.bookkeeper.client.BookKeeper;
import org.apache.bookkeeper.client.LedgerEntry;
import org.apache.bookkeeper.client.LedgerHandle;
import org.apache.bookkeeper.conf.ClientConfiguration;
import org.jspecify.annotations.Nullable;

/** Logs with a bug that a check must find. It is on the class path of a broker before the sound one. */
public final class BuggyLogs implements LogService {
    /** The property of the process that names the bug. */
    public static final String PROPERTY = "rivulet.bug";

    /** An append is answered when it is in memory only. */
    public static final String ANSWERS_EARLY = "answers-early";

    /** An opening reads all that it finds, and leaves the ledgers to their writer. */
    public static final String FENCES_NOTHING = "fences-nothing";

    private static final int LATE_MILLIS = 50;

    @Override
    public LogLocation connect(String address, Disk disk) throws IOException {
        int slash = address.indexOf('/');
        String registry = address.substring(0, slash);
        String name = address.substring(slash + 1);
        return new LedgerLogLocation(engine(registry, name), name, disk, LedgerLogConfig.DEFAULT);
    }

    /** With the bug that the property names; sound if it is none of an engine. */
    public static Engine engine(String registry, String name) throws IOException {
        Engine sound = new BookKeeperEngine(registry, name);
        return switch (System.getProperty(PROPERTY, "")) {
            case ANSWERS_EARLY -> new EarlyEngine(sound);
            case FENCES_NOTHING -> new UnfencedEngine(sound, registry);
            default -> sound;
        };
    }

    private static final class UnfencedEngine extends ForwardingEngine {
        private final BookKeeper client;

        UnfencedEngine(Engine engine, String registry) throws IOException {
            super(engine);
            ClientConfiguration configuration = new ClientConfiguration();
            configuration.setMetadataServiceUri("zk+hierarchical://" + registry + "/ledgers");
            configuration.setUseV2WireProtocol(true);
            try {
                client = BookKeeper.forConfig(configuration).build();
            } catch (BKException | InterruptedException e) {
                throw new IOException(e);
            }
        }

        @Override
        public Ledger recover(long id) throws IOException {
            try {
                LedgerHandle handle = client.openLedgerNoRecovery(id, BookKeeper.DigestType.CRC32C, new byte[0]);
                return new UnfencedLedger(handle, entryCount(handle));
            } catch (BKException | InterruptedException e) {
                throw new IOException(e);
            }
        }
    }

    /** Also what nobody has confirmed. */
    private static long entryCount(LedgerHandle handle) throws InterruptedException {
        long count = handle.getLastAddConfirmed() + 1;
        try {
            while (true) {
                handle.readUnconfirmedEntries(count, count);
                count++;
            }
        } catch (BKException e) {
            return count;
        }
    }

    private record UnfencedLedger(LedgerHandle handle, long entryCount) implements Ledger {
        @Override
        public long id() {
            return handle.getId();
        }

        @Override
        public long lengthBytes() {
            return handle.getLength();
        }

        @Override
        public void append(long entryId, ByteBuffer entry, Answer answer) {
            throw new IllegalStateException("another client writes ledger " + id());
        }

        @Override
        public void read(long firstEntryId, int maxEntries, EntryReader reader) throws IOException {
            long last = Math.min(firstEntryId + maxEntries, entryCount) - 1;
            try {
                Enumeration<LedgerEntry> entries = handle.readUnconfirmedEntries(firstEntryId, last);
                while (entries.hasMoreElements()) {
                    LedgerEntry entry = entries.nextElement();
                    reader.entry(entry.getEntryId(), ByteBuffer.wrap(entry.getEntry()));
                }
            } catch (BKException | InterruptedException e) {
                throw new IOException(e);
            }
        }

        @Override
        public void close() {
            // Its writer goes on.
        }
    }

    private static final class EarlyEngine extends ForwardingEngine {
        private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();

        EarlyEngine(Engine engine) {
            super(engine);
        }

        @Override
        public Ledger create(long id) throws IOException {
            return new EarlyLedger(super.create(id), later);
        }
    }

    private record EarlyLedger(Ledger ledger, ScheduledExecutorService later) implements Ledger {
        @Override
        public long id() {
            return ledger.id();
        }

        @Override
        public long entryCount() {
            return ledger.entryCount();
        }

        @Override
        public long lengthBytes() {
            return ledger.lengthBytes();
        }

        @Override
        public void append(long entryId, ByteBuffer entry, Answer answer) {
            var unused = later.schedule(
                    () -> ledger.append(entryId, entry, new Answer() {
                        @Override
                        public void answered(@Nullable Throwable failure) {
                            // It was answered before.
                        }

                        @Override
                        public void released() {
                            answer.released();
                        }
                    }),
                    LATE_MILLIS,
                    TimeUnit.MILLISECONDS);
            answer.answered(null);
        }

        @Override
        public void read(long firstEntryId, int maxEntries, EntryReader reader) throws IOException {
            ledger.read(firstEntryId, maxEntries, reader);
        }

        @Override
        public void close() throws IOException {
            ledger.close();
        }
    }
}
