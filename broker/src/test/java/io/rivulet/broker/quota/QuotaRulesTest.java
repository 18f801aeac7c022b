package io.rivulet.broker.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.broker.access.Principal;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.config.QuotaSettings;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.protocol.message.ApiKey;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.nio.channels.Channels;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class QuotaRulesTest {
    private static final String BYTES_IN = QuotaKind.PRODUCER_BYTE_RATE.key();
    private static final Principal ALICE = Principal.user("alice");

    private final QuotaRules rules = new QuotaRules();
    private final AtomicLong nanos = new AtomicLong(1_000_000_000_000L);
    private final ClientQuotas quotas =
            new ClientQuotas(rules, QuotaSettings.of(BrokerConfig.of(Map.of())), nanos::get);

    @Test
    void theMostSpecificRuleWinsInTheOrderOfKafka() {
        List<Map<String, @Nullable String>> bySpecificity = List.of(
                names("alice", "app"),
                names("alice", null),
                Map.of("user", "alice"),
                names(null, "app"),
                names(null, null),
                one("user", null),
                Map.of("client-id", "app"),
                one("client-id", null));
        for (int i = bySpecificity.size() - 1; i >= 0; i--) {
            set(bySpecificity.get(i), BYTES_IN, i + 1.0);
            assertThat(limit("alice", "app")).isEqualTo(i + 1.0);
        }
        for (int i = 0; i < bySpecificity.size(); i++) {
            assertThat(limit("alice", "app")).isEqualTo(i + 1.0);
            set(bySpecificity.get(i), BYTES_IN, null);
        }
        assertThat(limit("alice", "app")).isNull();
        assertThat(quotas.areActive()).isFalse();
    }

    @Test
    void aRuleIsForItsUserAndKindOnly() {
        set(Map.of("user", "alice"), BYTES_IN, 5.0);

        assertThat(limit("alice", "any")).isEqualTo(5.0);
        assertThat(limit("bob", "any")).isNull();
        assertThat(rules.find(QuotaKind.CONSUMER_BYTE_RATE, "alice", "any")).isNull();
    }

    @Test
    void theClientsOfAUserShareTheRuleOfTheUser() {
        set(Map.of("user", "alice"), BYTES_IN, 100.0);

        assertThat(produce("one", 1000)).isZero();
        assertThat(produce("two", 1000)).isEqualTo(10_000);
    }

    @Test
    void eachClientOfADefaultRuleHasItsOwnRate() {
        set(one("client-id", null), BYTES_IN, 100.0);

        assertThat(produce("one", 1000)).isZero();
        assertThat(produce("two", 1000)).isZero();
        assertThat(produce("two", 1000)).isEqualTo(10_000);
    }

    @Test
    void aMillionClientsOfADefaultRuleTakeBoundedMemory() {
        set(one("client-id", null), BYTES_IN, 100.0);
        String longName = "x".repeat(1000);
        for (int i = 0; i < 1_000_000; i++) {
            assertThat(produce(longName + i, 1)).isZero();
        }
        assertThat(quotas.defaultMeters()).isEqualTo(DefaultMeters.MOST);
    }

    @Test
    void aLongestWaitFitsIntoTheAnswer() {
        set(Map.of("user", "alice"), BYTES_IN, 1.0);
        CallMeter meter = quotas.meter(ALICE, "app", Integer.MAX_VALUE);

        meter.settle(ApiKey.PRODUCE, true);

        assertThat(meter.waitMillis()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void theLongestWaitOfSeveralQuotasCounts() {
        set(Map.of("user", "alice"), BYTES_IN, 1000.0);
        set(Map.of("user", "alice"), QuotaKind.REQUEST_PERCENTAGE.key(), 0.01);
        CallMeter meter = quotas.meter(ALICE, "app", 12_000);
        meter.worked(1_000_000_000);

        meter.settle(ApiKey.PRODUCE, true);

        assertThat(meter.waitMillis()).isEqualTo(2000); // that of the time is one window at most
        quotas.forEachWait(
                (reason, calls, millis) -> assertThat(millis).as(reason).isEqualTo(reason.equals(BYTES_IN) ? 2000 : 0));
    }

    @Test
    void newConnectionsOfAnAddressAreLimited() throws Exception {
        InetAddress six = InetAddress.getByName("0:0:0:0:0:0:0:1");
        InetAddress other = InetAddress.getByName("10.0.0.1");
        set(Map.of("ip", "::1"), "connection_creation_rate", 1.0);
        for (int i = 0; i < 10; i++) {
            assertThat(quotas.connect(six)).isZero();
        }
        assertThat(quotas.connect(six)).isEqualTo(1000);
        assertThat(quotas.connect(other)).isZero();
        set(Map.of("ip", "::1"), "connection_creation_rate", null);
        assertThat(quotas.connect(six)).isZero();

        set(one("ip", null), "connection_creation_rate", (double) Integer.MAX_VALUE);
        assertThat(quotas.connect(other)).isZero();
        assertThat(quotas.areActive()).isFalse(); // calls have nothing to count
    }

    @Test
    void aFetchThatExceedsItsQuotaDoesNotCount() {
        set(Map.of("user", "alice"), QuotaKind.CONSUMER_BYTE_RATE.key(), 100.0);

        assertThat(quotas.meter(ALICE, "app", 1).fetchLimit(50_000)).isEqualTo(1000);
        assertThat(quotas.meter(ALICE, "app", 1).exceedsWith(2000)).isTrue();
        assertThat(quotas.meter(ALICE, "app", 1).exceedsWith(1000)).isFalse();
    }

    @Test
    void rulesSurviveASnapshot() throws Exception {
        set(names("alice", null), BYTES_IN, 7.0);
        set(Map.of("ip", "10.0.0.1"), QuotaKind.CONNECTION_CREATION_RATE.key(), 3.0);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        rules.snapshot().writeTo(Channels.newChannel(out));

        QuotaRules loaded = new QuotaRules();
        loaded.load(Channels.newChannel(new ByteArrayInputStream(out.toByteArray())));

        assertThat(all(loaded)).isEqualTo(all(rules)).hasSize(2);
        QuotaRule found = loaded.find(QuotaKind.PRODUCER_BYTE_RATE, "alice", "any");
        assertThat(found).isNotNull().extracting(QuotaRule::limit).isEqualTo(7.0);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN, 1.5, 1e300, Double.POSITIVE_INFINITY})
    void ratesThatAreNoRateAreRefused(double rate) {
        assertThatThrownBy(() -> set(Map.of("user", "alice"), BYTES_IN, rate)).isInstanceOf(RefusedException.class);
    }

    @Test
    void aKindMustFitItsEntity() {
        assertThatThrownBy(() -> set(Map.of("ip", "10.0.0.1"), BYTES_IN, 1.0)).hasMessageContaining("Invalid config");
        assertThatThrownBy(() -> set(Map.of("user", "alice"), "connection_creation_rate", 1.0))
                .hasMessageContaining("Invalid config");
        assertThatThrownBy(() -> set(Map.of("ip", "no address"), "connection_creation_rate", 1.0))
                .hasMessageContaining("not a valid IP");
        assertThatThrownBy(() -> set(Map.of("ip", "10.0.0.1", "user", "alice"), "connection_creation_rate", 1.0))
                .hasMessageContaining("combination");
        assertThatThrownBy(() -> set(Map.of("team", "alice"), BYTES_IN, 1.0)).hasMessageContaining("Unhandled");
        assertThatThrownBy(() -> set(Map.of("user", ""), BYTES_IN, 1.0)).hasMessageContaining("Empty user");
        assertThatThrownBy(() -> set(Map.of(), BYTES_IN, 1.0)).hasMessageContaining("empty client quota entity");
    }

    private static Map<String, @Nullable String> names(@Nullable String user, @Nullable String clientId) {
        Map<String, @Nullable String> names = new HashMap<>();
        names.put("user", user);
        names.put("client-id", clientId);
        return names;
    }

    private static Map<String, @Nullable String> one(String type, @Nullable String name) {
        Map<String, @Nullable String> names = new HashMap<>();
        names.put(type, name);
        return names;
    }

    private void set(Map<String, @Nullable String> names, String key, @Nullable Double limit) {
        RulesOfATest.set(rules, names, key, limit);
    }

    private @Nullable Double limit(String user, String clientId) {
        QuotaRule rule = rules.find(QuotaKind.PRODUCER_BYTE_RATE, user, clientId);
        return rule == null ? null : Double.valueOf(rule.limit());
    }

    private long produce(String clientId, int bytes) {
        CallMeter meter = quotas.meter(ALICE, clientId, bytes);
        meter.settle(ApiKey.PRODUCE, true);
        return meter.waitMillis();
    }

    private static Map<QuotaEntity, Map<QuotaKind, Double>> all(QuotaRules from) {
        Map<QuotaEntity, Map<QuotaKind, Double>> all = new HashMap<>();
        from.forEach(all::put);
        return all;
    }
}
