package io.rivulet.cluster.service;

import io.rivulet.cluster.registry.Member;
import io.rivulet.cluster.registry.Registry;
import io.rivulet.cluster.registry.Registry.Versioned;
import io.rivulet.cluster.registry.ShardNode;
import io.rivulet.store.shard.Overview;
import io.rivulet.store.shard.Peer;
import io.rivulet.store.shard.Tenant;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the tenant who is there and who owns the shard, when that is new.
 *
 * <p>Owned by: the thread of the shard. Any thread may call {@link #outdated}.
 */
final class OverviewReport {
    private static final Logger LOG = LoggerFactory.getLogger(OverviewReport.class);

    private final Registry registry;
    private final int shard;
    private final Member self;
    private final Tenant tenant;
    private @Nullable Overview last;
    private volatile boolean isOutdated = true;

    OverviewReport(Registry registry, int shard, Member self, Tenant tenant) {
        this.registry = registry;
        this.shard = shard;
        this.self = self;
        this.tenant = tenant;
    }

    /** The registry has something new. */
    void outdated() {
        isOutdated = true;
    }

    /** @param ownEpoch of the last claim of this process */
    void update(long ownEpoch) {
        if (!isOutdated) {
            return;
        }
        isOutdated = false; // first: an event during the reads asks for others
        Overview found;
        boolean isOld;
        try {
            // In this order: whoever owned the node was a member before.
            Versioned node = registry.load(shard);
            found = overview(node == null ? ShardNode.NEW : node.node(), registry.members());
            // The epochs of a node that was deleted and made again begin anew.
            isOld = found.epoch() < Math.max(ownEpoch, knownEpoch()) && !registry.confirm(shard, node);
        } catch (IOException e) {
            LOG.debug("shard {}: the registry does not say who is there", shard, e);
            outdated();
            return;
        }
        if (isOld) {
            outdated();
        } else if (!found.equals(last)) {
            last = found;
            tenant.changed(found);
        }
    }

    private long knownEpoch() {
        Overview before = last;
        return before == null ? 0 : before.epoch();
    }

    /** This process is always there. Another one with its id is not: that is its predecessor, or a mistake. */
    private Overview overview(ShardNode node, List<Member> members) {
        List<Member> present = Stream.concat(
                        members.stream()
                                .filter(each ->
                                        each.who().brokerId() != self.who().brokerId()),
                        Stream.of(self))
                .sorted(Comparator.comparingInt(each -> each.who().brokerId()))
                .toList();
        int ownerId = present.stream()
                .filter(each -> node.isOwnedBy(each.who()))
                .map(each -> each.who().brokerId())
                .findFirst()
                .orElse(Overview.NOBODY);
        return new Overview(
                present.stream()
                        .map(each -> new Peer(each.who().brokerId(), each.endpoints()))
                        .toList(),
                ownerId,
                node.epoch());
    }
}
