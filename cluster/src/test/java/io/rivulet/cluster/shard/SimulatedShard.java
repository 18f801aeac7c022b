package io.rivulet.cluster.shard;

import io.rivulet.cluster.registry.Incarnation;
import io.rivulet.cluster.registry.Registry;
import io.rivulet.cluster.registry.Registry.Versioned;
import io.rivulet.cluster.registry.ShardNode;
import io.rivulet.store.shard.Takeover;
import io.rivulet.store.shard.Tenure;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A store on the ledgers of the simulation; its record is the list of their numbers. Its state is how many appends it
 * knows, so a state that lacks an acknowledged append is old.
 */
final class SimulatedShard implements Tenure {
    private static final int SHARD = ShardSimulation.SHARD;
    private static final int ATTEMPTS = 3;

    private final Registry registry;
    private final SimulatedLog log;
    private final Incarnation who;
    private final long epoch;
    private final Runnable pause;
    private final Runnable clients;
    final Lease lease;
    private SimulatedLog.@Nullable Ledger writes;
    private boolean failed;
    private boolean closed;
    boolean serves;
    long known;

    SimulatedShard(
            Registry registry,
            SimulatedLog log,
            ShardNode claim,
            Incarnation who,
            Lease lease,
            Runnable pause,
            Runnable clients) {
        this.registry = registry;
        this.log = log;
        this.who = who;
        this.epoch = claim.epoch();
        this.pause = pause;
        this.clients = clients;
        this.lease = lease;
    }

    /** Takes the record, fences the ledgers, loads, and enters a ledger of its own. */
    void load(ShardOpener.Progress progress, boolean fences) throws IOException {
        ByteBuffer record = decide(node -> node.log());
        while (record.hasRemaining()) {
            progress.made();
            SimulatedLog.Ledger ledger = log.ledger(record.getInt());
            if (fences && !ledger.isFenced) {
                pause.run();
                ledger.isFenced = true;
            }
            known += ledger.length;
        }
        writes = log.ledger(nextLedger());
    }

    private interface Change {
        ByteBuffer of(ShardNode node);
    }

    /** A swap of the node while it names this claim; the record afterwards. */
    private ByteBuffer decide(Change change) throws IOException {
        for (int i = 0; i < ATTEMPTS; i++) {
            Versioned found = registry.load(SHARD);
            if (found == null || found.node().epoch() > epoch) {
                break;
            }
            boolean isMine = found.node().epoch() == epoch && found.node().isOwnedBy(who);
            ByteBuffer record = change.of(found.node());
            if (isMine && registry.swap(SHARD, found, found.node().withLog(record)) >= 0) {
                return record;
            }
        }
        throw new IOException("another broker has claimed the shard");
    }

    private int nextLedger() throws IOException {
        int id = log.create();
        decide(node -> {
            ByteBuffer before = node.log();
            return ByteBuffer.allocate(before.remaining() + Integer.BYTES)
                    .put(before)
                    .putInt(id)
                    .flip();
        });
        return id;
    }

    /** Another ledger; what was appended to the one before stays there. */
    void roll() {
        try {
            writes = log.ledger(nextLedger());
        } catch (IOException e) {
            failed = true;
        }
    }

    /** Whether it was acknowledged. */
    boolean append() {
        SimulatedLog.Ledger ledger = writes;
        pause.run();
        if (ledger == null || ledger.isFenced || closed) {
            failed = true;
            return false;
        }
        ledger.length++;
        pause.run();
        if (closed) {
            return false;
        }
        known++;
        log.acknowledged++;
        return true;
    }

    @Override
    public void serve(Takeover steps) {
        serves = true;
        clients.run();
    }

    @Override
    public boolean hasFailed() {
        return failed;
    }

    @Override
    public void close() {
        pause.run();
        closed = true;
        serves = false;
    }
}
