package io.rivulet.cluster.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.cluster.registry.FakeRegistry;
import io.rivulet.cluster.registry.FakeRegistryClient;
import io.rivulet.cluster.registry.Incarnation;
import io.rivulet.cluster.registry.Member;
import io.rivulet.cluster.registry.Registry.Versioned;
import io.rivulet.cluster.registry.ShardNode;
import io.rivulet.store.shard.Claim;
import io.rivulet.store.shard.Overview;
import io.rivulet.store.shard.Peer;
import io.rivulet.store.shard.Tenant;
import io.rivulet.store.shard.Tenure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What broker 1 says of nodes and members. {@code -Drivulet.seed} repeats the choices of the registry. */
final class OverviewReportTest {
    private static final int SHARD = 0;
    private static final int UPDATES = 50;
    private static final Member SELF = new Member(new Incarnation(1, 100), "PLAINTEXT://self:1");
    private static final Member BEFORE = new Member(new Incarnation(1, 99), "PLAINTEXT://before:1");
    private static final Member OTHER = new Member(new Incarnation(2, 200), "PLAINTEXT://other:1");
    private static final Peer SELF_PEER = new Peer(1, "PLAINTEXT://self:1");
    private static final Peer OTHER_PEER = new Peer(2, "PLAINTEXT://other:1");

    private final long seed = Long.getLong("rivulet.seed", System.nanoTime());
    private final FakeRegistry registry = new FakeRegistry(seed, FakeRegistry.Bug.NONE);
    private final FakeRegistryClient client = registry.client();
    private final FakeRegistryClient elsewhere = registry.client();
    private final List<Overview> overviews = new ArrayList<>();

    private final OverviewReport report = new OverviewReport(client, SHARD, SELF, new Tenant() {
        @Override
        public Tenure open(Claim claim) {
            throw new IllegalStateException("nothing is to be opened");
        }

        @Override
        public void changed(Overview now) {
            overviews.add(now);
        }
    });

    private void claimedBy(Member member) throws IOException {
        Versioned found = registry.current(SHARD);
        ShardNode node = found == null ? ShardNode.NEW : found.node();
        elsewhere.swap(SHARD, found, node.claimedBy(member.who()));
    }

    /** When everything is known. */
    private Overview last(long ownEpoch) {
        while (registry.deliverOne()) {
            // until nothing is on its way
        }
        for (int i = 0; i < UPDATES; i++) {
            report.outdated();
            report.update(ownEpoch);
        }
        assertThat(overviews).as("seed %d", seed).doesNotHaveDuplicates();
        return overviews.get(overviews.size() - 1);
    }

    @Test
    void thisProcessIsThereBeforeItIsAMember() {
        assertThat(last(0)).isEqualTo(new Overview(List.of(SELF_PEER), Overview.NOBODY, 0));
    }

    @Test
    void anOwnerIsNamedAsLongAsItLives() throws IOException {
        elsewhere.join(OTHER);
        claimedBy(OTHER);
        assertThat(last(0)).isEqualTo(new Overview(List.of(SELF_PEER, OTHER_PEER), 2, 1));

        registry.expire(elsewhere);
        assertThat(last(0)).isEqualTo(new Overview(List.of(SELF_PEER), Overview.NOBODY, 1));
    }

    @Test
    void thisProcessOwnsWhatItHasClaimedAlthoughItsSessionHasEnded() throws IOException {
        client.join(SELF);
        claimedBy(SELF);
        registry.expire(client);
        assertThat(last(1)).isEqualTo(new Overview(List.of(SELF_PEER), 1, 1));
    }

    @Test
    void thisProcessIsNotTakenForItsPredecessor() throws IOException {
        elsewhere.join(BEFORE);
        claimedBy(BEFORE);
        assertThat(last(0)).isEqualTo(new Overview(List.of(SELF_PEER), Overview.NOBODY, 1));
    }

    @Test
    void oldStatesAreNotReported() throws IOException {
        elsewhere.join(OTHER);
        claimedBy(OTHER);
        claimedBy(SELF);
        report.update(2);
        assertThat(overviews).as("seed %d", seed).allMatch(overview -> overview.epoch() == 2);

        Overview known = last(2);
        registry.expire(client);
        while (registry.deliverOne()) {
            // until the client has a new session, which may begin with any state
        }
        client.behind(true);
        report.outdated();
        report.update(0);
        assertThat(overviews.get(overviews.size() - 1)).as("seed %d", seed).isEqualTo(known);
    }

    @Test
    void theNextOwnerIsNamedAfterTheNodeWasDeleted() throws IOException {
        elsewhere.join(OTHER);
        claimedBy(SELF);
        claimedBy(SELF);
        assertThat(last(2).epoch()).isEqualTo(2);

        registry.deleteNode(SHARD);
        claimedBy(OTHER);
        assertThat(last(2)).isEqualTo(new Overview(List.of(SELF_PEER, OTHER_PEER), 2, 1));
    }

    @Test
    void aReadThatFailsIsRepeated() throws IOException {
        client.cut(true);
        report.update(0);
        client.cut(false);
        report.update(0);
        assertThat(overviews).hasSize(1);
    }

    @Test
    void nothingIsReadWithoutAnEvent() throws IOException {
        report.update(0);
        elsewhere.join(OTHER);
        for (int i = 0; i < UPDATES; i++) {
            report.update(0);
        }
        assertThat(overviews).hasSize(1);
    }
}
