package io.rivulet.cluster.service;

import io.rivulet.cluster.bookkeeper.BuggyLogs;
import io.rivulet.store.io.Disk;
import io.rivulet.store.log.LogLocation;
import io.rivulet.store.shard.Claim;
import io.rivulet.store.shard.Overview;
import io.rivulet.store.shard.Peer;
import io.rivulet.store.shard.ShardService;
import io.rivulet.store.shard.ShardStatus;
import io.rivulet.store.shard.Tenant;
import io.rivulet.store.shard.Tenure;
import java.io.IOException;

/**
 * Shards with a bug that a check must find. It is on the class path of a broker before the sound service. The bug is
 * named by {@link BuggyLogs#PROPERTY}.
 */
public final class BuggyShards implements ShardService {
    /** An owner answers from its state without a lease. */
    public static final String ASKS_NO_LEASE = "asks-no-lease";

    @Override
    public Membership join(String address, Peer self, int sessionMillis, Tenant tenant) throws IOException {
        boolean asksNoLease = System.getProperty(BuggyLogs.PROPERTY, "").equals(ASKS_NO_LEASE);
        return new BookKeeperShards(BuggyLogs::engine)
                .join(address, self, sessionMillis, asksNoLease ? new TenantWithoutLease(tenant) : tenant);
    }

    @Override
    public ShardStatus status(String address, boolean withOrphans) throws IOException {
        return new BookKeeperShards().status(address, withOrphans);
    }

    private record TenantWithoutLease(Tenant tenant) implements Tenant {
        @Override
        public Tenure open(Claim claim) throws IOException {
            return tenant.open(new ClaimWithoutLease(claim));
        }

        @Override
        public void changed(Overview now) {
            tenant.changed(now);
        }
    }

    private record ClaimWithoutLease(Claim claim) implements Claim {
        @Override
        public long epoch() {
            return claim.epoch();
        }

        @Override
        public LogLocation log(Disk disk) throws IOException {
            return claim.log(disk);
        }

        @Override
        public boolean mayAnswer() {
            return true;
        }

        @Override
        public int ledgers() {
            return claim.ledgers();
        }

        @Override
        public int groupsOnTheirWay() {
            return claim.groupsOnTheirWay();
        }

        @Override
        public void progress() throws IOException {
            claim.progress();
        }
    }
}
