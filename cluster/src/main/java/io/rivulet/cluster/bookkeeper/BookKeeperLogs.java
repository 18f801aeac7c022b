package io.rivulet.cluster.bookkeeper;

import io.rivulet.cluster.ledger.LedgerLogConfig;
import io.rivulet.cluster.ledger.LedgerLogLocation;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.io.Disk;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.LogConfig;
import io.rivulet.store.log.LogLocation;
import io.rivulet.store.log.LogService;
import io.rivulet.store.thread.Workers;
import java.io.IOException;

/** Logs on BookKeeper, for brokers. Stateless. */
public final class BookKeeperLogs implements LogService {
    private static final String DEFAULT_NAME = "rivulet";

    /** @param address host:port of each member of ZooKeeper, with commas; then /name of the log, if it is not alone */
    @Override
    public LogLocation connect(String address, Disk disk) throws IOException {
        int slash = address.indexOf('/');
        String registry = slash < 0 ? address : address.substring(0, slash);
        String name = slash < 0 ? DEFAULT_NAME : address.substring(slash + 1);
        BookKeeperEngine engine = new BookKeeperEngine(registry, name);
        return new Connected(address, engine, new LedgerLogLocation(engine, name, disk, LedgerLogConfig.DEFAULT));
    }

    /** Names the address in messages, and closes the engine. */
    private record Connected(String address, BookKeeperEngine engine, LogLocation log) implements LogLocation {
        @Override
        public boolean exists() throws IOException {
            try {
                return log.exists();
            } catch (IOException e) {
                throw at(e);
            }
        }

        @Override
        public CommitLog open(LogConfig config, Runnable wakeUp, Workers workers, FailureLatch failures)
                throws IOException {
            try {
                return log.open(config, wakeUp, workers, failures);
            } catch (IOException e) {
                throw at(e);
            }
        }

        private IOException at(IOException e) {
            return new IOException("the log at " + address + ": " + e.getMessage(), e);
        }

        @Override
        public void close() throws IOException {
            engine.close();
        }
    }
}
