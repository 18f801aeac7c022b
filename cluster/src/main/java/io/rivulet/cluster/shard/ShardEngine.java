package io.rivulet.cluster.shard;

import io.rivulet.cluster.engine.Engine;
import io.rivulet.cluster.engine.ForwardingEngine;
import io.rivulet.cluster.registry.Incarnation;
import io.rivulet.cluster.registry.Registry;
import io.rivulet.cluster.registry.ShardNode;
import io.rivulet.store.failure.OwnerChangedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The engine of one claim: ledgers are those of another engine, and the one record is the body of the shard's node. So
 * the log of this owner decides nothing any more when another broker has claimed the shard. Thread-safe.
 */
public final class ShardEngine extends ForwardingEngine {
    private static final int READS = 5;

    private final Registry registry;
    private final int shard;
    private final ShardNode claim;
    private final Incarnation owner;

    /** @param claim the node after the claim */
    public ShardEngine(Engine ledgers, Registry registry, int shard, ShardNode claim) {
        super(ledgers);
        this.registry = registry;
        this.shard = shard;
        this.claim = claim;
        this.owner = Objects.requireNonNull(claim.owner(), "claimed by nobody");
    }

    @Override
    public @Nullable Versioned load(String name) throws IOException {
        return record(current(name));
    }

    private static @Nullable Versioned record(Registry.Versioned found) {
        ByteBuffer record = found.node().log();
        return record.hasRemaining() ? new Versioned(found.version(), record) : null;
    }

    /** Looks first whose node it is. */
    @Override
    public int swap(String name, @Nullable Versioned state, ByteBuffer bytes) throws IOException {
        Registry.Versioned found = current(name);
        boolean isSame = Objects.equals(record(found), state);
        return isSame ? registry.swap(shard, found, claim.withLog(bytes)) : NO_VERSION;
    }

    /**
     * The node as it is. A read may be old: of before the claim, or of before the last decision of this owner. A node
     * that was deleted and made again may have a lower epoch than the claim.
     *
     * @throws OwnerChangedException if this claim is over
     */
    private Registry.Versioned current(String name) throws IOException {
        for (int i = 0; i < READS; i++) {
            Registry.Versioned found = registry.load(shard);
            // After the answer, the next read is not older than it.
            if (registry.confirm(shard, found)) {
                if (found == null || !isOfClaim(found.node())) {
                    throw new OwnerChangedException(name);
                }
                return found;
            }
        }
        throw new IOException("the registry answers with old states of shard " + shard);
    }

    private boolean isOfClaim(ShardNode node) {
        return node.epoch() == claim.epoch() && node.isOwnedBy(owner);
    }
}
