package io.rivulet.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The annotation as its users have it. */
@Rivulet(topics = {"orders:3", "payments"})
final class RivuletTest {
    private final RivuletBroker ofConstructor;

    RivuletTest(RivuletBroker broker) {
        ofConstructor = broker;
    }

    @Test
    void clientsExchangeRecords(RivuletClients clients) throws Exception {
        assertThat(roundTrip(clients, "orders")).isEqualTo("value");
    }

    private static String roundTrip(RivuletClients clients, String topic) throws Exception {
        KafkaProducer<String, String> producer = clients.producer();
        producer.send(new ProducerRecord<>(topic, "key", "value")).get();
        KafkaConsumer<String, String> consumer = clients.consumer("readers of " + topic, topic);
        long deadlineNanos = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (System.nanoTime() - deadlineNanos < 0) {
            for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(200))) {
                return record.value();
            }
        }
        throw new AssertionError("no record came");
    }

    @Test
    void topicsHaveTheirPartitions(RivuletClients clients) throws Exception {
        assertThat(clients.admin()
                        .describeTopics(List.of("orders", "payments"))
                        .allTopicNames()
                        .get())
                .extractingFromEntries(topic -> topic.getValue().partitions().size())
                .containsExactlyInAnyOrder(3, 1);
    }

    @Test
    void allParametersAreOfOneBroker(RivuletBroker broker, RivuletClients clients, @BootstrapServers String servers) {
        assertThat(broker).isSameAs(ofConstructor);
        assertThat(servers).isEqualTo(broker.bootstrapServers());
        assertThat(clients.settings()).containsEntry("bootstrap.servers", servers);
        assertThat(clients.with("acks", "1").settings()).containsEntry("acks", "1");
    }

    @Nested
    final class WithoutAnAnnotation {
        @Test
        void theBrokerIsThatOfTheClassAround(RivuletBroker broker) {
            assertThat(broker).isSameAs(ofConstructor);
        }
    }

    @Nested
    @Rivulet(
            topics = "secrets",
            tls = true,
            users = {"alice:of alice", "bob:a \"quoted\" \\ one"})
    final class WithUsers {
        @Test
        void clientsLogInOverTls(RivuletBroker broker, RivuletClients clients) throws Exception {
            assertThat(broker).isNotSameAs(ofConstructor);
            assertThat(clients.settings()).containsEntry("security.protocol", "SASL_SSL");
            assertThat(roundTrip(clients, "secrets")).isEqualTo("value");
            assertThat(clients.as("bob").admin().listTopics().names().get()).contains("secrets");
        }

        @Test
        void othersDoNot(RivuletClients clients) {
            assertThatThrownBy(() -> clients.as("carol"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("there is no user carol but [alice, bob]");
            String login = String.valueOf(clients.settings().get("sasl.jaas.config"));
            RivuletClients guessing = clients.with("sasl.jaas.config", login.replace("of alice", "guessed"));
            assertThatThrownBy(() -> guessing.admin().listTopics().names().get())
                    .hasRootCauseInstanceOf(SaslAuthenticationException.class);
        }
    }

    @Nested
    @Rivulet(config = {"num.partitions=2", "auto.create.topics.enable = true"})
    final class WithConfig {
        @Test
        void theBrokerIsConfigured(RivuletClients clients) {
            assertThat(clients.producer().partitionsFor("made-on-demand")).hasSize(2);
        }
    }

    @Test
    void aTopicCanBeAdded(RivuletBroker broker, RivuletClients clients) throws Exception {
        broker.createTopic("added", 2);
        broker.createTopic("added", 2);

        assertThat(clients.admin()
                        .describeTopics(List.of("added"))
                        .allTopicNames()
                        .get())
                .hasEntrySatisfying(
                        "added", topic -> assertThat(topic.partitions()).hasSize(2));
        assertThat(Map.copyOf(broker.clientSettings())).containsEntry("security.protocol", "PLAINTEXT");
    }
}
