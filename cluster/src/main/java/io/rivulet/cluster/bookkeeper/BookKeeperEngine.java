package io.rivulet.cluster.bookkeeper;

import io.rivulet.cluster.engine.Engine;
import io.rivulet.cluster.engine.Ledger;
import io.rivulet.store.io.ShortageException;
import io.rivulet.store.thread.Workers;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.bookkeeper.client.BKException;
import org.apache.bookkeeper.client.BookKeeper;
import org.apache.bookkeeper.client.LedgerHandle;
import org.apache.bookkeeper.conf.ClientConfiguration;
import org.apache.bookkeeper.meta.LedgerIdGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Ledgers on bookies, records in ZooKeeper. Thread-safe.
 *
 * <p>With two or three bookies an entry has two copies, both acknowledged; so one of three can be lost, and the next
 * ledger is made on the other two. From four bookies on it has three copies, of which two are acknowledged.
 */
public final class BookKeeperEngine implements Engine {
    /** Copies of an entry: on how many bookies a ledger is, how many have an entry, how many must have it. */
    private record Copies(int ensemble, int write, int ack) {
        static Copies on(int bookies) {
            return bookies < 4 ? new Copies(2, 2, 2) : new Copies(3, 3, 2);
        }
    }

    /** Says what a ledger is for. */
    static final String LOG_KEY = "rivulet.log";

    static final byte[] NO_PASSWORD = {};
    static final BookKeeper.DigestType DIGEST = BookKeeper.DigestType.CRC32C;
    private static final int ADD_TIMEOUT_SECONDS = 3;
    private static final int READ_TIMEOUT_SECONDS = 5;
    private static final long QUESTION_MILLIS = 10_000;

    private final BookKeeper client;
    private final LedgerIdGenerator ids;
    private final Records records;
    private final String log;
    private final long patienceMillis;

    /**
     * @param registry host:port, separated by commas, of ZooKeeper
     * @param log the name that ledgers get, so that one can see whose they are
     */
    public BookKeeperEngine(String registry, String log) throws IOException {
        this(registry, log, Workers.CLOSE_WAIT_MILLIS);
    }

    /** @param patienceMillis how long a wait that has a limit lasts without answers */
    BookKeeperEngine(String registry, String log, long patienceMillis) throws IOException {
        this.log = log;
        this.patienceMillis = patienceMillis;
        this.client = client(configuration(registry));
        this.ids = client.getLedgerManagerFactory().newLedgerIdGenerator();
        this.records = new Records(registry);
    }

    static ClientConfiguration configuration(String registry) {
        ClientConfiguration configuration = new ClientConfiguration();
        configuration.setMetadataServiceUri("zk+hierarchical://" + registry.replace(',', ';') + "/ledgers");
        configuration.setUseV2WireProtocol(true);
        configuration.setAddEntryTimeout(ADD_TIMEOUT_SECONDS);
        configuration.setReadEntryTimeout(READ_TIMEOUT_SECONDS);
        configuration.setDelayEnsembleChange(true);
        configuration.setNumIOThreads(1);
        configuration.setNumWorkerThreads(1);
        return configuration;
    }

    static BookKeeper client(ClientConfiguration configuration) throws IOException {
        try {
            return BookKeeper.forConfig(configuration).build();
        } catch (BKException e) {
            throw new IOException("BookKeeper is not there: no bookie has started yet, or ZooKeeper fails", e);
        } catch (IOException e) {
            throw new IOException("ZooKeeper does not answer", e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    static InterruptedIOException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        InterruptedIOException interrupted = new InterruptedIOException("interrupted while another machine was asked");
        interrupted.initCause(e);
        return interrupted;
    }

    @Override
    public long reserve() throws IOException {
        CompletableFuture<Long> reserved = new CompletableFuture<>();
        ids.generateLedgerId((code, id) -> complete(reserved, code, id));
        try {
            return get(reserved);
        } catch (BKException e) {
            throw new IOException("no id for a ledger: " + e.getMessage(), e);
        }
    }

    @Override
    public Ledger create(long id) throws IOException {
        Copies copies = Copies.on(writableBookies());
        try {
            return create(id, copies);
        } catch (BKException.BKLedgerExistException e) {
            delete(id);
        } catch (BKException e) {
            throw notCreated(e);
        }
        try {
            return create(id, copies);
        } catch (BKException e) {
            throw notCreated(e);
        }
    }

    private static IOException notCreated(BKException e) {
        return e instanceof BKException.BKNotEnoughBookiesException
                ? new ShortageException(ShortageException.Kind.SPACE, "too few bookies take new ledgers")
                : new IOException("no ledger could be made: " + e.getMessage(), e);
    }

    private Ledger create(long id, Copies copies) throws IOException, BKException {
        CompletableFuture<LedgerHandle> created = new CompletableFuture<>();
        client.asyncCreateLedgerAdv(
                id,
                copies.ensemble,
                copies.write,
                copies.ack,
                DIGEST,
                NO_PASSWORD,
                (code, handle, context) -> complete(created, code, handle),
                null,
                Map.of(LOG_KEY, log.getBytes(StandardCharsets.UTF_8)));
        return new BookKeeperLedger(get(created));
    }

    private int writableBookies() throws IOException {
        try {
            return get(client.getMetadataClientDriver().getRegistrationClient().getWritableBookies())
                    .getValue()
                    .size();
        } catch (BKException e) {
            throw new IOException("nobody says which bookies there are: " + e.getMessage(), e);
        }
    }

    private static <T> void complete(CompletableFuture<T> future, int code, T result) {
        if (code == BKException.Code.OK) {
            future.complete(result);
        } else {
            future.completeExceptionally(BKException.create(code));
        }
    }

    /** The client asks ZooKeeper until it answers. A log has other work: it tries again later. */
    static <T> T get(CompletableFuture<T> answer) throws IOException, BKException {
        try {
            return answer.get(QUESTION_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof BKException cause) {
                throw cause;
            }
            throw new IOException(e.getCause());
        } catch (TimeoutException e) {
            throw new IOException("ZooKeeper has not answered for " + QUESTION_MILLIS + " ms", e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    @Override
    public Ledger recover(long id) throws IOException {
        try {
            return new BookKeeperLedger(client.openLedger(id, DIGEST, NO_PASSWORD));
        } catch (BKException e) {
            throw new IOException("ledger " + id + " can't be opened: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    @Override
    public void delete(long id) throws IOException {
        CompletableFuture<Boolean> deleted = new CompletableFuture<>();
        client.asyncDeleteLedger(id, (code, context) -> complete(deleted, code, true), null);
        try {
            get(deleted);
        } catch (BKException.BKNoSuchLedgerExistsException e) {
            // It is gone.
        } catch (BKException e) {
            throw new IOException("ledger " + id + " can't be deleted: " + e.getMessage(), e);
        }
    }

    @Override
    public @Nullable Versioned load(String name) throws IOException {
        return records.load(name);
    }

    @Override
    public int swap(String name, @Nullable Versioned state, ByteBuffer bytes) throws IOException {
        return records.swap(name, state, bytes);
    }

    /**
     * The client itself gives an append up, or waits for ZooKeeper: then the append may succeed after any time. So may
     * one that a frozen process has sent.
     */
    @Override
    public void await(Object monitor, BooleanSupplier done, LongSupplier progress, BooleanSupplier limited)
            throws IOException {
        long seen = progress.getAsLong();
        long seenNanos = System.nanoTime();
        synchronized (monitor) {
            while (!done.getAsBoolean()) {
                boolean wasLimited = limited.getAsBoolean();
                long waitedMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - seenNanos);
                try {
                    monitor.wait(Math.max(1, patienceMillis - waitedMillis));
                } catch (InterruptedException e) {
                    throw interrupted(e);
                }
                long now = System.nanoTime();
                if (progress.getAsLong() != seen || !wasLimited) {
                    seen = progress.getAsLong();
                    seenNanos = now;
                } else if (now - seenNanos >= TimeUnit.MILLISECONDS.toNanos(patienceMillis) && !done.getAsBoolean()) {
                    throw new IOException("no bookie has answered for " + patienceMillis + " ms");
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        try (records;
                ids) {
            client.close();
        } catch (BKException e) {
            throw new IOException("the client of BookKeeper does not close", e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }
}
