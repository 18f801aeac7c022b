package io.rivulet.broker.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.config.ConfigCompatibility.Status;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class ConfigCompatibilityTest {
    @Test
    void eachKeyOfTheBrokerThatIsNotItsOwnIsKafkas() {
        List<String> ofTheAuthorizer = List.of("super.users", "allow.everyone.if.no.acl.found");
        assertThat(Stream.of(BrokerKey.values())
                        .map(BrokerKey::key)
                        .filter(key -> !key.startsWith("rivulet.") && !ofTheAuthorizer.contains(key)))
                .allSatisfy(key -> assertThat(KafkaKey.forKey(key)).as(key).isNotNull());
    }

    @Test
    void defaultsAreKafkas() {
        assertThat(KafkaKey.all().stream()
                        .filter(ConfigCompatibilityTest::differs)
                        .map(KafkaKey::key))
                .containsOnly(
                        "node.id",
                        "listeners",
                        "listener.security.protocol.map",
                        "log.dirs",
                        "max.connections",
                        "group.consumer.assignment.interval.ms",
                        "group.share.assignment.interval.ms",
                        "group.streams.assignment.interval.ms",
                        "num.network.threads",
                        "queued.max.request.bytes",
                        "log.cleaner.dedupe.buffer.size",
                        // Kafka has these in hours, or in another key.
                        "log.retention.hours",
                        "log.retention.ms",
                        "log.roll.hours",
                        "log.roll.ms",
                        "log.roll.jitter.hours",
                        "log.roll.jitter.ms",
                        "log.flush.interval.ms");
    }

    private static boolean differs(KafkaKey kafkas) {
        BrokerKey key = BrokerKey.forKey(kafkas.key());
        return key != null && !key.defaultValue().equals(kafkas.defaultValue());
    }

    @Test
    void everyConfigOfKafkaHasAStatus() {
        assertThat(ConfigCompatibility.brokerKeys())
                .containsEntry("log.retention.ms", Status.ACTS)
                .containsEntry("broker.id", Status.ACTS)
                .containsEntry("log.segment.bytes", Status.NO_EFFECT)
                .containsEntry("num.io.threads", Status.NO_EFFECT)
                .containsEntry("authorizer.class.name", Status.ACTS)
                .containsEntry("sasl.server.callback.handler.class", Status.REFUSED)
                .hasSizeGreaterThan(300);
        assertThat(ConfigCompatibility.topicKeys())
                .containsEntry("remote.storage.enable", Status.REFUSED)
                .containsEntry("cleanup.policy", Status.ACTS);
        assertThat(ConfigCompatibility.groupKeys()).containsEntry("share.isolation.level", Status.ACTS);
        assertThat(ConfigCompatibility.tables()).contains("| `max.connections` | acts; can change |");
    }
}
