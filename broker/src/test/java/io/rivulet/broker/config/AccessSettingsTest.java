package io.rivulet.broker.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AccessSettingsTest {
    private static final Map<String, String> ON =
            Map.of("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");

    private static BrokerConfig with(String key, String value) {
        Map<String, String> properties = new HashMap<>(ON);
        properties.put(key, value);
        return BrokerConfig.of(properties);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " "})
    void withoutAnAuthorizerThereAreNoRules(String none) {
        assertThat(with("authorizer.class.name", none).access().isOn()).isFalse();
        assertThat(BrokerConfig.of(Map.of()).access().isOn()).isFalse();
    }

    @Test
    void anAuthorizerOfAnotherClassIsRefused() {
        assertThatThrownBy(() -> with("authorizer.class.name", "kafka.security.authorizer.AclAuthorizer"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("org.apache.kafka.metadata.authorizer.StandardAuthorizer");
    }

    @Test
    void superUsersAreListedAsInKafka() {
        assertThat(with("super.users", " User:CN=admin,O=all ; User:b;;")
                        .access()
                        .superUsers())
                .containsExactlyInAnyOrder("User:CN=admin,O=all", "User:b");
        assertThat(with("super.users", "").access().superUsers()).isEmpty();
    }

    @Test
    void aSuperUserWithoutATypeIsRefused() {
        assertThatThrownBy(() -> with("super.users", "User:a;b"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("type:name");
    }

    /** It has no passwords, so it would show everything to every client. */
    @ParameterizedTest
    @CsvSource({",false", "on,true", "off,false"})
    void withAnAuthorizerTheConsoleIsOnOnlyIfItIsAskedFor(@Nullable String given, boolean isOn) {
        BrokerConfig config = given == null ? BrokerConfig.of(ON) : with("rivulet.console", given);

        assertThat(config.http().console().isOn()).isEqualTo(isOn);
        assertThat(BrokerConfig.of(Map.of()).http().console().isOn()).isTrue();
    }
}
