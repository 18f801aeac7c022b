package io.rivulet.cluster.service;

import io.rivulet.cluster.engine.Engine;
import io.rivulet.cluster.registry.Registry;
import io.rivulet.cluster.registry.ShardNode;
import io.rivulet.cluster.shard.Lease;
import io.rivulet.cluster.shard.ShardOpener;
import io.rivulet.store.shard.Tenant;
import io.rivulet.store.shard.Tenure;
import java.io.IOException;
import java.util.Objects;

/**
 * Has the tenant open the store, once for each claim. Immutable.
 *
 * @param address for messages
 * @param name of the log
 */
record TenantOpener(Registry registry, int shard, Tenant tenant, String address, String name, Connector ledgers)
        implements ShardOpener {
    /** Connects to the machines that have the ledgers. */
    interface Connector {
        Engine connect() throws IOException;
    }

    @Override
    public Tenure open(ShardNode claim, Lease lease, Progress progress) throws IOException {
        TenantClaim tenantClaim = new TenantClaim(this, claim, lease, progress);
        try {
            return Objects.requireNonNull(tenant.open(tenantClaim), "nothing was opened");
        } catch (Throwable e) {
            try {
                tenantClaim.closeLogs();
            } catch (IOException | RuntimeException | Error later) {
                e.addSuppressed(later);
            }
            throw e;
        }
    }
}
