package io.rivulet.broker.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class UnservedKeysTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "create.topic.policy.class.name",
                "alter.config.policy.class.name",
                "principal.builder.class",
                "client.quota.callback.class",
                "security.providers",
                "ssl.engine.factory.class",
                "ssl.protocol",
                "listener.name.inside.ssl.engine.factory.class",
                "sasl.server.callback.handler.class",
                "listener.name.inside.plain.sasl.server.callback.handler.class",
                "sasl.oauthbearer.jwt.validator.class",
                "delegation.token.secret.key",
                "remote.log.storage.system.enable",
                "config.providers",
            })
    void aKeyThatDecidesWhatIsSafeStopsTheStart(String key) {
        assertThatThrownBy(() -> BrokerConfig.of(Map.of(key, "secret")))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(key + " is ")
                .hasMessageContaining("Rivulet does not serve this key")
                .hasMessageNotContaining("secret'");
    }

    @ParameterizedTest
    @CsvSource({
        "ssl.endpoint.identification.algorithm,''",
        "security.inter.broker.protocol,SSL",
        "ssl.protocol,TLSv1.3",
        "sasl.mechanism.inter.broker.protocol,PLAIN",
        "sasl.login.class,my.own.Login",
        "sasl.kerberos.service.name,kafka",
    })
    void aValueWithWhichKafkaDoesNothingIsAccepted(String key, String value) {
        assertThat(BrokerConfig.of(Map.of(key, value)).values().unknownKeys()).containsExactly(key);
    }

    @Test
    void aMapOfListenersThatAreNotOpenedIsAccepted() {
        BrokerConfig config = BrokerConfig.of(Map.of(
                "listeners", "PLAINTEXT://:9092,CONTROLLER://:9093",
                "controller.listener.names", "CONTROLLER",
                "inter.broker.listener.name", "PLAINTEXT",
                "listener.security.protocol.map",
                        "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_PLAINTEXT:SASL_PLAINTEXT"));

        assertThat(config.listeners()).hasSize(1);
    }
}
