package io.rivulet.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.junit.RivuletBroker;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

/** What a test sees that asks for a broker. */
@SpringJUnitConfig(EmbeddedRivuletTest.Application.class)
@TestPropertySource(
        properties = {
            "spring.kafka.bootstrap-servers=production:9092",
            "spring.kafka.consumer.bootstrap-servers=other:1",
            "spring.kafka.properties.security.protocol=SASL_SSL",
            "spring.kafka.producer.properties.security.protocol=SASL_SSL"
        })
@EmbeddedRivulet(
        topics = "orders:3",
        config = "auto.create.topics.enable = false",
        bootstrapServersProperty = "my.kafka")
final class EmbeddedRivuletTest {
    @Configuration
    static class Application {}

    @Autowired
    private Environment environment;

    @Autowired
    private RivuletBroker broker;

    @Test
    void propertiesOfTheApplicationAreReplaced() {
        for (String client : new String[] {"", "consumer.", "producer.", "admin.", "streams."}) {
            assertThat(environment.getProperty("spring.kafka." + client + "bootstrap-servers"))
                    .isEqualTo(broker.bootstrapServers());
            assertThat(environment.getProperty("spring.kafka." + client + "security.protocol"))
                    .isEqualTo("PLAINTEXT");
            assertThat(environment.getProperty("spring.kafka." + client + "properties.security.protocol"))
                    .isEqualTo("PLAINTEXT");
        }
        assertThat(environment.getProperty("my.kafka")).isEqualTo(broker.bootstrapServers());
    }

    @Test
    void topicsExist() throws Exception {
        try (Admin admin = Admin.create(broker.clientSettings())) {
            assertThat(admin.listTopics().names().get()).containsExactly("orders");
        }
    }

    /** It has the broker of the class around it. */
    @Nested
    final class Inside {
        @Autowired
        private RivuletBroker same;

        @Test
        void hasTheSameBroker() {
            assertThat(same.bootstrapServers()).isEqualTo(broker.bootstrapServers());
        }
    }

    /** Encryption and a login, in the properties that Spring Boot passes to each client. */
    @Nested
    @EmbeddedRivulet(topics = "orders", tls = true, users = "alice:se:cret")
    final class Secured {
        @Autowired
        private Environment secured;

        @Test
        void propertiesSayHowToLogIn() throws Exception {
            assertThat(secured.getProperty("spring.kafka.security.protocol")).isEqualTo("SASL_SSL");
            String truststore = "ssl.truststore.location";
            String login = "sasl.jaas.config";
            try (Admin admin = Admin.create(Map.of(
                    "bootstrap.servers",
                    property("spring.kafka.bootstrap-servers"),
                    "security.protocol",
                    "SASL_SSL",
                    "ssl.truststore.type",
                    property("spring.kafka.properties.ssl.truststore.type"),
                    truststore,
                    property("spring.kafka.properties." + truststore),
                    "sasl.mechanism",
                    property("spring.kafka.properties.sasl.mechanism"),
                    login,
                    property("spring.kafka.properties." + login)))) {
                assertThat(admin.listTopics().names().get()).containsExactly("orders");
            }
        }

        private String property(String name) {
            return Objects.requireNonNull(secured.getProperty(name), name);
        }
    }
}
