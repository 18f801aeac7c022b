package io.rivulet.cluster.status;

import io.rivulet.cluster.bookkeeper.BookieView;
import io.rivulet.cluster.bookkeeper.ClusterAddress;
import io.rivulet.cluster.engine.Engine;
import io.rivulet.cluster.ledger.LogRecord;
import io.rivulet.cluster.registry.Member;
import io.rivulet.cluster.registry.Registry.Versioned;
import io.rivulet.cluster.registry.ShardNode;
import io.rivulet.cluster.zookeeper.ZooKeeperRegistry;
import io.rivulet.store.shard.Overview;
import io.rivulet.store.shard.Peer;
import io.rivulet.store.shard.ShardStatus;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Asks the registry and the bookies about one log. Stateless. */
public final class StatusReader {
    private static final int SHARD = 0;
    /** A registry that is silent for twice as long does not answer. */
    private static final int SILENCE_MILLIS = 3_000;

    private StatusReader() {}

    /**
     * Reads everything about the log of this address.
     *
     * @param withOrphans whether to look at all ledgers of the bookies, those of other logs included
     * @throws IOException also if there is no such log
     */
    public static ShardStatus read(String address, boolean withOrphans) throws IOException {
        ClusterAddress parts = ClusterAddress.of(address);
        try (ZooKeeperRegistry registry = new ZooKeeperRegistry(parts.servers(), parts.name(), SILENCE_MILLIS)) {
            // In this order: whoever owned the node was a member before.
            Versioned found = registry.load(SHARD);
            List<Member> members = registry.members();
            if (found != null || !members.isEmpty()) {
                return shared(parts, found == null ? ShardNode.NEW : found.node(), members, withOrphans);
            }
            Engine.Versioned record = BookieView.record(parts.servers(), parts.name());
            if (record != null) {
                return alone(parts, record.bytes(), withOrphans);
            }
            Set<String> names = new TreeSet<>(registry.clusters());
            names.addAll(BookieView.records(parts.servers()));
            throw new IOException("there is no log " + parts.name() + " at " + parts.servers()
                    + (names.isEmpty() ? ", and no other one" : ". There is: " + String.join(", ", names)));
        }
    }

    private static ShardStatus shared(ClusterAddress at, ShardNode node, List<Member> members, boolean withOrphans)
            throws IOException {
        int ownerId = members.stream()
                .filter(member -> node.isOwnedBy(member.who()))
                .map(member -> member.who().brokerId())
                .findFirst()
                .orElse(Overview.NOBODY);
        List<Peer> peers = members.stream()
                .map(member -> new Peer(member.who().brokerId(), member.endpoints()))
                .toList();
        return of(at, new Owned(true, ownerId, node.epoch(), node.sinceMillis(), peers), node.log(), withOrphans);
    }

    /** The log of one broker: nobody says where that is. */
    private static ShardStatus alone(ClusterAddress at, ByteBuffer record, boolean withOrphans) throws IOException {
        long epoch = LogRecord.decode(at.name(), record).epoch();
        return of(at, new Owned(false, Overview.NOBODY, epoch, 0, List.of()), record, withOrphans);
    }

    /** What the registry says about brokers. */
    private record Owned(boolean isShared, int ownerId, long epoch, long sinceMillis, List<Peer> peers) {}

    /** @param encoded the record of the log; empty before the first opening */
    private static ShardStatus of(ClusterAddress at, Owned owned, ByteBuffer encoded, boolean withOrphans)
            throws IOException {
        List<Long> ids = List.of();
        List<Long> unneeded = List.of();
        if (encoded.hasRemaining()) {
            LogRecord record = LogRecord.decode(at.name(), encoded);
            ids = record.ledgers().stream().map(LogRecord.Part::id).toList();
            unneeded = record.unneeded();
        }
        try (BookieView bookies = new BookieView(at.servers())) {
            List<Long> orphans = null;
            if (withOrphans) {
                orphans = new ArrayList<>(bookies.ledgersOf(at.name()));
                orphans.removeAll(ids);
                orphans.removeAll(unneeded);
            }
            return new ShardStatus(
                    at.name(),
                    owned.isShared(),
                    owned.ownerId(),
                    owned.epoch(),
                    owned.sinceMillis(),
                    owned.peers(),
                    bookies.ledgers(ids),
                    unneeded,
                    orphans,
                    bookies.bookies());
        }
    }
}
