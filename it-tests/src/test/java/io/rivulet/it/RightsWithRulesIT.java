package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.Broker;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each API, for users with different rights: the broker answers as Kafka 4.3.1 does. */
final class RightsWithRulesIT {
    private static final Map<String, String> SECURE = Map.of(
            "node.id", "1",
            "listeners", "SASL_PLAINTEXT://localhost:0",
            "sasl.enabled.mechanisms", "PLAIN",
            "listener.name.sasl_plaintext.plain.sasl.jaas.config", RightsUsers.jaas(),
            "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
            "super.users", "User:" + RightsUsers.SUPER);

    @TempDir
    private Path directory;

    @Test
    void eachUserGetsTheAnswersOfKafka() throws Exception {
        try (Broker broker = TestBroker.start(directory, SECURE)) {
            int port = broker.addresses().get(0).getPort();
            Set<ApiKeys> served = served(port);

            String matrix = new RightsMatrix(user -> RightsMatrix.login(port, user)).fill(served::contains);

            assertThat(matrix).isEqualTo(RightsMatrixIT.kafkas(served::contains));
        }
    }

    private static Set<ApiKeys> served(int port) throws Exception {
        Set<ApiKeys> served = EnumSet.noneOf(ApiKeys.class);
        try (Wire wire = RightsMatrix.login(port, RightsUsers.SUPER)) {
            ApiVersionsResponseData response =
                    (ApiVersionsResponseData) wire.ask(ApiKeys.API_VERSIONS, (short) 0, new ApiVersionsRequestData());
            response.apiKeys().forEach(api -> served.add(ApiKeys.forId(api.apiKey())));
        }
        return served;
    }
}
