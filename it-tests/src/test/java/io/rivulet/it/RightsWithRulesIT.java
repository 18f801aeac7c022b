package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each API, for users with different rights: the broker answers as Kafka 4.3.1 does. */
@SeveralBrokers
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
        try (TestBroker broker = TestBroker.start(directory, SECURE)) {
            int port = broker.addresses().get(0).getPort();
            Set<ApiKeys> served = served(port);

            String matrix = new RightsMatrix(user -> RightsMatrix.login(port, user)).fill(served::contains);

            assertThat(matrix).isEqualTo(RightsMatrixIT.kafkas(served::contains));
        }
    }

    /** To a user without rights, only ids can be unknown. All names have the same answer. */
    @Test
    void aFetchOfATopicWithoutANameIsNotAuthorized() throws Exception {
        FetchRequestData request = new FetchRequestData()
                .setMaxBytes(1000)
                .setTopics(List.of(new FetchTopic()
                        .setTopic("")
                        .setPartitions(List.of(new FetchPartition().setPartitionMaxBytes(1000)))));
        try (TestBroker broker = TestBroker.start(directory, SECURE);
                Wire wire = RightsMatrix.login(broker.addresses().get(0).getPort(), RightsUsers.WITHOUT_RIGHTS)) {
            FetchResponseData response = (FetchResponseData) wire.ask(ApiKeys.FETCH, (short) 12, request);

            assertThat(response.responses().get(0).partitions().get(0).errorCode())
                    .isEqualTo(Errors.TOPIC_AUTHORIZATION_FAILED.code());
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
