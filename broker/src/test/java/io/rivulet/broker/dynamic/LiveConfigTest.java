package io.rivulet.broker.dynamic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.config.BrokerKey;
import io.rivulet.broker.config.ConfigException;
import io.rivulet.broker.config.DeadLetterConfig;
import io.rivulet.broker.config.GroupKey;
import io.rivulet.broker.config.LiveSettings;
import io.rivulet.broker.config.ShareGroupConfig;
import io.rivulet.broker.config.ShareOffsetReset;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class LiveConfigTest {
    private static final Resource GROUP = new Resource(Resource.GROUP, "workers");

    private final BrokerConfig config = BrokerConfig.of(Map.of(
            "node.id", "7",
            "max.connections.per.ip", "5",
            "max.connections.per.ip.overrides", "localhost:9",
            "group.share.session.timeout.ms", "46000"));
    private final List<LiveSettings> changes = new ArrayList<>();
    private final LiveConfig live = new LiveConfig(config);

    LiveConfigTest() {
        live.whenChanged(changes::add);
    }

    @Test
    void withoutChangesItHasTheValuesOfTheStart() {
        assertThat(live.settings().topicDefaults()).isEqualTo(config.topicDefaults());
        assertThat(live.text(BrokerKey.MAX_CONNECTIONS_PER_IP)).isEqualTo("5");
        assertThat(live.text("group.share.session.timeout.ms")).isEqualTo("46000");
        assertThat(live.text("group.share.heartbeat.interval.ms")).isEqualTo("5000");
        assertThat(live.text("no.such.key")).isEmpty();
    }

    @Test
    void theLimitsOfConnectionsChange() throws IOException {
        set(Resource.ALL_BROKERS, "max.connections.per.ip", "3");
        set(Resource.broker(7), "max.connections.per.ip.overrides", "10.0.0.1:4");

        assertThat(live.settings().connections().maxPerAddress()).isEqualTo(3);
        assertThat(live.settings().connections().maxByAddress())
                .isEqualTo(Map.of(InetAddress.getByName("10.0.0.1"), 4));
        set(Resource.broker(7), "max.connections.per.ip.overrides", null);
        assertThat(live.settings().connections().maxByAddress())
                .isEqualTo(config.connections().maxByAddress());
    }

    @Test
    void theRateOfNewConnectionsOfAListenerChanges() {
        set(Resource.broker(7), "listener.name.outside.max.connection.creation.rate", "3");

        assertThat(live.settings().connections().maxCreationRate("OUTSIDE")).isEqualTo(3);
        assertThat(live.settings().connections().maxCreationRate("INSIDE")).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void aChangeDoesNotLookUpHosts() {
        assertThatThrownBy(
                        () -> live.check(Resource.broker(7), Map.of("max.connections.per.ip.overrides", "localhost:4")))
                .isInstanceOf(ConfigException.class);
    }

    @Test
    void onlyChangesOfThisBrokerAndOfAllAreInEffect() {
        set(new Resource(Resource.BROKER, "8"), "producer.id.expiration.ms", "1000");
        set(GROUP, "consumer.session.timeout.ms", "50000");
        assertThat(changes).isEmpty();

        set(Resource.broker(7), "producer.id.expiration.ms", "2000");

        assertThat(changes).extracting(LiveSettings::producerExpirationMillis).containsExactly(2000L);
    }

    @Test
    void groupsHaveTheAssignmentIntervalThatTheBrokerHasNow() {
        set(Resource.ALL_BROKERS, "group.consumer.assignment.interval.ms", "4000");
        assertThat(live.ofGroup("workers", GroupKey.CONSUMER_ASSIGNMENT_INTERVAL_MS))
                .isEqualTo(4000);

        set(Resource.broker(7), "group.consumer.assignment.interval.ms", "5000");

        assertThat(live.ofGroup("workers", GroupKey.CONSUMER_ASSIGNMENT_INTERVAL_MS))
                .isEqualTo(5000);
    }

    @Test
    void aValueThatIsNoLongerAllowedHasNoEffect() {
        set(Resource.broker(7), "log.retention.ms", "soon");
        set(Resource.broker(7), "num.partitions", "4");

        assertThat(live.settings().values()).isEqualTo(config.values());
    }

    @Test
    void aSnapshotHasAllConfigs() throws IOException {
        set(Resource.ALL_BROKERS, "message.max.bytes", "1000");
        set(GROUP, "consumer.session.timeout.ms", "50000");
        set(GROUP, "consumer.heartbeat.interval.ms", "6000");
        set(GROUP, "consumer.heartbeat.interval.ms", null);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        live.resources().snapshot().writeTo(Channels.newChannel(bytes));

        LiveConfig loaded = new LiveConfig(config);
        loaded.resources().load(Channels.newChannel(new ByteArrayInputStream(bytes.toByteArray())));

        assertThat(loaded.settings().topicDefaults().maxMessageBytes()).isEqualTo(1000);
        assertThat(loaded.resources().of(GROUP)).isEqualTo(Map.of("consumer.session.timeout.ms", "50000"));
        assertThat(loaded.resources().names(Resource.GROUP)).containsExactly("workers");
    }

    @Test
    void aResourceWithoutConfigsIsForgotten() {
        set(GROUP, "consumer.session.timeout.ms", "50000");
        set(GROUP, "consumer.session.timeout.ms", null);

        assertThat(live.resources().names(Resource.GROUP)).isEmpty();
    }

    @Test
    void theTimeoutOfAGroupIsWithinTheBoundsOfTheBroker() {
        GroupKey timeout = GroupKey.CONSUMER_SESSION_TIMEOUT_MS;
        assertThat(live.ofGroup("workers", timeout)).isEqualTo(45_000);

        set(GROUP, "consumer.session.timeout.ms", "50000");
        assertThat(live.ofGroup("workers", timeout)).isEqualTo(50_000);
        assertThat(live.ofGroup("others", timeout)).isEqualTo(45_000);
        set(GROUP, "consumer.session.timeout.ms", "70000");
        assertThat(live.ofGroup("workers", timeout)).isEqualTo(60_000);
    }

    @Test
    void aShareGroupHasItsOwnValuesOrThoseOfTheBroker() {
        LiveShareGroups groups = new LiveShareGroups(live);
        assertThat(groups.of("others").sessionTimeoutMillis()).isEqualTo(46_000);

        set(GROUP, "share.record.lock.duration.ms", "20000");
        set(GROUP, "share.auto.offset.reset", "by_duration:PT2H");
        set(GROUP, "share.isolation.level", "read_committed");
        set(GROUP, "share.renew.acknowledge.enable", "false");

        assertThat(groups.of("workers"))
                .isEqualTo(new ShareGroupConfig(
                        46_000,
                        5_000,
                        0,
                        20_000,
                        5,
                        2000,
                        new ShareOffsetReset(ShareOffsetReset.Kind.BY_DURATION, 7_200_000),
                        true,
                        false,
                        DeadLetterConfig.NONE));
        assertThat(groups.of("others").recordLockMillis()).isEqualTo(30_000);
    }

    @Test
    void deadLettersDependOnTheGroupAndOnTheBroker() {
        LiveShareGroups groups = new LiveShareGroups(live);
        set(GROUP, "errors.deadletterqueue.topic.name", "dlq.t");
        assertThat(groups.of("workers").deadLetters()).isEqualTo(new DeadLetterConfig("dlq.t", false, "dlq.", false));

        set(GROUP, "errors.deadletterqueue.copy.record.enable", "true");
        set(Resource.ALL_BROKERS, "errors.deadletterqueue.topic.name.prefix", "");
        set(Resource.ALL_BROKERS, "errors.deadletterqueue.auto.create.topics.enable", "true");

        assertThat(groups.of("workers").deadLetters()).isEqualTo(new DeadLetterConfig("dlq.t", true, "", true));
        assertThat(groups.of("others").deadLetters().isOn()).isFalse();
    }

    @Test
    void aChangeOfTheConfigOfAShareGroupIsInEffectAtOnce() {
        LiveShareGroups groups = new LiveShareGroups(live);
        set(GROUP, "share.delivery.count.limit", "3");
        assertThat(groups.of("workers").deliveryCountLimit()).isEqualTo(3);

        set(GROUP, "share.delivery.count.limit", "25");
        set(Resource.broker(7), "group.share.assignment.interval.ms", "700");

        assertThat(groups.of("workers").deliveryCountLimit()).as("the largest").isEqualTo(10);
        assertThat(groups.of("workers").assignmentIntervalMillis()).isEqualTo(700);
        assertThat(groups.of("others").assignmentIntervalMillis()).isEqualTo(700);
        set(GROUP, "share.delivery.count.limit", null);
        assertThat(groups.of("workers").deliveryCountLimit()).isEqualTo(5);
    }

    @Test
    void withoutConfigsAShareGroupHasTheDefaults() {
        LiveShareGroups groups = new LiveShareGroups(new LiveConfig(BrokerConfig.of(Map.of())));

        assertThat(groups.of("workers")).isEqualTo(ShareGroupConfig.DEFAULT);
    }

    private void set(Resource resource, String key, @Nullable String value) {
        Map<String, @Nullable String> change = new HashMap<>();
        change.put(key, value);
        live.resources().apply(0, ResourceEntryLayout.entry(resource, change));
    }
}
