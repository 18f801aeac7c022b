package io.rivulet.cluster.service;

import io.rivulet.cluster.engine.Engine;
import io.rivulet.cluster.engine.ForwardingEngine;
import io.rivulet.cluster.engine.Ledger;
import io.rivulet.cluster.ledger.ConnectedLog;
import io.rivulet.cluster.ledger.LedgerLogConfig;
import io.rivulet.cluster.registry.ShardNode;
import io.rivulet.cluster.shard.Lease;
import io.rivulet.cluster.shard.ShardEngine;
import io.rivulet.cluster.shard.ShardOpener.Progress;
import io.rivulet.store.io.Disk;
import io.rivulet.store.log.LogLocation;
import io.rivulet.store.shard.Claim;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A claim, as the tenant sees it. Thread-safe. */
final class TenantClaim implements Claim {
    private static final LedgerLogConfig SHARED = LedgerLogConfig.DEFAULT.shared();

    private final TenantOpener opener;
    private final ShardNode claim;
    private final Lease lease;
    private final Progress progress;
    private final List<LogLocation> logs = new CopyOnWriteArrayList<>();

    TenantClaim(TenantOpener opener, ShardNode claim, Lease lease, Progress progress) {
        this.opener = opener;
        this.claim = claim;
        this.lease = lease;
        this.progress = progress;
    }

    @Override
    public long epoch() {
        return claim.epoch();
    }

    @Override
    public LogLocation log(Disk disk) throws IOException {
        Engine shard = new ShardEngine(
                new ProgressEngine(opener.ledgers().connect()), opener.registry(), opener.shard(), claim);
        LogLocation log = new ConnectedLog(opener.address(), shard, opener.name(), disk, SHARED);
        logs.add(log);
        return log;
    }

    /** For a tenant that has failed before it could close them. */
    void closeLogs() throws IOException {
        for (LogLocation log : logs) {
            log.close();
        }
    }

    @Override
    public boolean mayAnswer() {
        return lease.holds();
    }

    @Override
    public void progress() throws IOException {
        progress.made();
    }

    /** A log may have thousands of ledgers to recover before the tenant hears of it again. */
    private final class ProgressEngine extends ForwardingEngine {
        ProgressEngine(Engine engine) {
            super(engine);
        }

        @Override
        public Ledger recover(long id) throws IOException {
            progress.made();
            return super.recover(id);
        }
    }
}
