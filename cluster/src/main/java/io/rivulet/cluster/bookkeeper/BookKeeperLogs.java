package io.rivulet.cluster.bookkeeper;

import io.rivulet.cluster.ledger.ConnectedLog;
import io.rivulet.cluster.ledger.LedgerLogConfig;
import io.rivulet.store.io.Disk;
import io.rivulet.store.log.LogLocation;
import io.rivulet.store.log.LogService;
import java.io.IOException;

/** Logs on BookKeeper, for brokers. Stateless. */
public final class BookKeeperLogs implements LogService {
    /** @param address see {@link ClusterAddress} */
    @Override
    public LogLocation connect(String address, Disk disk) throws IOException {
        ClusterAddress parts = ClusterAddress.of(address);
        BookKeeperEngine engine = new BookKeeperEngine(parts.servers(), parts.name());
        return new ConnectedLog(address, engine, parts.name(), disk, LedgerLogConfig.DEFAULT);
    }
}
