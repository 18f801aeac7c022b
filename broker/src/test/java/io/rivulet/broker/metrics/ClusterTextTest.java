package io.rivulet.broker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rivulet.broker.metrics.ClusterFacts.Role;
import io.rivulet.broker.metrics.ClusterFacts.Steps;
import io.rivulet.store.shard.Takeover;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The series of a broker in a cluster. */
final class ClusterTextTest {
    private static final Steps STEPS =
            new Steps(new Takeover(1_000_000, 20_000_000, 300_000_000, 4_000_000_000L), 5_000_000);
    private static final ClusterFacts FACTS = new ClusterFacts(
            Role.OWNER,
            2,
            7,
            3,
            "",
            new ClusterFacts.Takeovers(4, 3, 2, STEPS),
            new ClusterFacts.Log(11, 5),
            new ClusterFacts.Relayed(8, 1, 9));

    private static ParsedText text(ClusterFacts facts) {
        ByteBuf out = Unpooled.buffer();
        ClusterText.write(NameFamily.STRIMZI, facts, out);
        return new ParsedText(out.toString(StandardCharsets.UTF_8));
    }

    @Test
    void eachSeriesHasItsTypeAndLabels() {
        ParsedText parsed = text(FACTS);

        for (ClusterMetric metric : ClusterMetric.values()) {
            assertThat(parsed.types())
                    .containsEntry(metric.metricName(), metric.type().text());
            for (String label : metric.labels()) {
                assertThat(parsed.samples().keySet())
                        .anyMatch(key -> key.startsWith(metric.metricName()) && key.contains(label + "="));
            }
        }
        assertThat(parsed.types()).hasSize(ClusterMetric.values().length);
    }

    @Test
    void valuesAreThoseOfTheFacts() {
        ParsedText parsed = text(FACTS);

        assertThat(parsed.value("rivulet_cluster_role", "role=owner")).isEqualTo(1);
        assertThat(parsed.value("rivulet_cluster_role", "role=opening")).isZero();
        assertThat(parsed.value("rivulet_cluster_role", "role=follower")).isZero();
        assertThat(parsed.value("rivulet_cluster_owner")).isEqualTo(2);
        assertThat(parsed.value("rivulet_cluster_epoch")).isEqualTo(7);
        assertThat(parsed.value("rivulet_cluster_brokers")).isEqualTo(3);
        assertThat(parsed.value("rivulet_cluster_takeovers_begun_total")).isEqualTo(4);
        assertThat(parsed.value("rivulet_cluster_takeovers_completed_total")).isEqualTo(3);
        assertThat(parsed.value("rivulet_cluster_losses_total")).isEqualTo(2);
        assertThat(parsed.value("rivulet_cluster_last_takeover_seconds", "step=claim"))
                .isEqualTo(0.001);
        assertThat(parsed.value("rivulet_cluster_last_takeover_seconds", "step=fence"))
                .isEqualTo(0.02);
        assertThat(parsed.value("rivulet_cluster_last_takeover_seconds", "step=load"))
                .isEqualTo(0.3);
        assertThat(parsed.value("rivulet_cluster_last_takeover_seconds", "step=wait"))
                .isEqualTo(4);
        assertThat(parsed.value("rivulet_cluster_last_takeover_seconds", "step=serve"))
                .isEqualTo(0.005);
        assertThat(parsed.value("rivulet_cluster_ledgers")).isEqualTo(11);
        assertThat(parsed.value("rivulet_cluster_groups_on_their_way")).isEqualTo(5);
        assertThat(parsed.value("rivulet_cluster_relayed_connections")).isEqualTo(8);
        assertThat(parsed.value("rivulet_cluster_waiting_connections")).isEqualTo(1);
        assertThat(parsed.value("rivulet_cluster_relayed_connections_total")).isEqualTo(9);
    }

    @Test
    void withoutATakeoverItsStepsTookNothing() {
        ClusterFacts none = new ClusterFacts(
                Role.FOLLOWER,
                -1,
                0,
                1,
                "",
                new ClusterFacts.Takeovers(0, 0, 0, null),
                new ClusterFacts.Log(0, 0),
                new ClusterFacts.Relayed(0, 0, 0));

        assertThat(text(none).value("rivulet_cluster_last_takeover_seconds", "step=load"))
                .isZero();
        assertThat(text(none).value("rivulet_cluster_owner")).isEqualTo(-1);
    }
}
