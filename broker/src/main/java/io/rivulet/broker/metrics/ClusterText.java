package io.rivulet.broker.metrics;

import io.netty.buffer.ByteBuf;
import io.rivulet.broker.metrics.ClusterFacts.Role;
import io.rivulet.broker.metrics.ClusterFacts.Steps;
import io.rivulet.store.shard.Takeover;
import org.jspecify.annotations.Nullable;

/** The series of a broker in a cluster as text for Prometheus. Stateless. */
public final class ClusterText {
    private ClusterText() {}

    /** What a broker says that does not serve clients: its part in the cluster, connections, JVM and process. */
    public static void writeFollower(NameFamily names, ClusterFacts facts, ServerFacts server, ByteBuf out) {
        write(names, facts, out);
        TextWriter text = new TextWriter(names, out);
        MetricsText.writeConnections(text, server);
        JvmSeries.write(text);
    }

    /** What there is besides the metrics of a broker by itself. */
    public static void write(NameFamily names, ClusterFacts facts, ByteBuf out) {
        TextWriter text = new TextWriter(names, out);
        text.head(ClusterMetric.ROLE);
        for (Role role : Role.values()) {
            text.sample(role == facts.role() ? 1 : 0, "role", role.text());
        }
        text.only(ClusterMetric.OWNER, facts.ownerId());
        text.only(ClusterMetric.EPOCH, facts.epoch());
        text.only(ClusterMetric.BROKERS, facts.brokers());
        text.only(ClusterMetric.TAKEOVERS_BEGUN, facts.takeovers().begun());
        text.only(ClusterMetric.TAKEOVERS_COMPLETED, facts.takeovers().completed());
        text.only(ClusterMetric.LOSSES, facts.takeovers().lost());
        writeSteps(text, facts.takeovers().last());
        text.only(ClusterMetric.LEDGERS, facts.log().ledgers());
        text.only(ClusterMetric.GROUPS_ON_THEIR_WAY, facts.log().groupsOnTheirWay());
        text.only(ClusterMetric.RELAYED, facts.relayed().open());
        text.only(ClusterMetric.RELAY_WAITING, facts.relayed().waiting());
        text.only(ClusterMetric.RELAYED_TOTAL, facts.relayed().total());
    }

    private static void writeSteps(TextWriter text, @Nullable Steps last) {
        Steps steps = last == null ? new Steps(new Takeover(0, 0, 0, 0), 0) : last;
        text.head(ClusterMetric.LAST_TAKEOVER);
        text.sample(TextWriter.seconds(steps.before().claimNanos()), "step", "claim");
        text.sample(TextWriter.seconds(steps.before().fenceNanos()), "step", "fence");
        text.sample(TextWriter.seconds(steps.before().loadNanos()), "step", "load");
        text.sample(TextWriter.seconds(steps.before().waitNanos()), "step", "wait");
        text.sample(TextWriter.seconds(steps.serveNanos()), "step", "serve");
    }
}
