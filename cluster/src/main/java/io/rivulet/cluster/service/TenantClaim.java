package io.rivulet.cluster.service;

import io.rivulet.cluster.engine.Engine;
import io.rivulet.cluster.engine.ForwardingEngine;
import io.rivulet.cluster.engine.Ledger;
import io.rivulet.cluster.ledger.ConnectedLog;
import io.rivulet.cluster.ledger.LedgerCommitLog;
import io.rivulet.cluster.ledger.LedgerLogConfig;
import io.rivulet.cluster.registry.ShardNode;
import io.rivulet.cluster.shard.Lease;
import io.rivulet.cluster.shard.ShardEngine;
import io.rivulet.cluster.shard.ShardOpener.Progress;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.io.Disk;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.LogConfig;
import io.rivulet.store.log.LogLocation;
import io.rivulet.store.shard.Claim;
import io.rivulet.store.thread.Workers;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A claim, as the tenant sees it. Thread-safe. */
final class TenantClaim implements Claim {
    private static final LedgerLogConfig SHARED = LedgerLogConfig.DEFAULT.shared();

    private final TenantOpener opener;
    private final ShardNode claim;
    private final Lease lease;
    private final Progress progress;
    private final List<LogLocation> logs = new CopyOnWriteArrayList<>();
    /** Null before it is open. */
    private volatile @Nullable LedgerCommitLog open;

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
        return new ClaimedLog(log);
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
    public int ledgers() {
        LedgerCommitLog log = open;
        return log == null ? 0 : log.ledgers();
    }

    @Override
    public int groupsOnTheirWay() {
        LedgerCommitLog log = open;
        return log == null ? 0 : log.groupsOnTheirWay();
    }

    @Override
    public void progress() throws IOException {
        progress.made();
    }

    /** Its opening is the fence. */
    private final class ClaimedLog implements LogLocation {
        private final LogLocation log;

        ClaimedLog(LogLocation log) {
            this.log = log;
        }

        @Override
        public boolean exists() throws IOException {
            return log.exists();
        }

        @Override
        public CommitLog open(LogConfig config, Runnable wakeUp, Workers workers, FailureLatch failures)
                throws IOException {
            CommitLog opened = log.open(config, wakeUp, workers, failures);
            progress.fenced();
            open = opened instanceof LedgerCommitLog onLedgers ? onLedgers : null;
            return opened;
        }

        @Override
        public void close() throws IOException {
            open = null;
            log.close();
        }
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
