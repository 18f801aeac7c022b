package io.rivulet.broker.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.rivulet.broker.TestBroker;
import io.rivulet.broker.call.Request;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ApiVersionsRequest;
import io.rivulet.protocol.message.ApiVersionsResponse;
import io.rivulet.protocol.message.ApiVersionsResponse.ApiVersion;
import io.rivulet.protocol.message.ApiVersionsResponse.SupportedFeatureKey;
import io.rivulet.protocol.message.CreateAclsRequest;
import io.rivulet.protocol.message.CreateAclsRequest.AclCreation;
import io.rivulet.protocol.message.CreateAclsResponse;
import io.rivulet.protocol.message.DeleteAclsRequest;
import io.rivulet.protocol.message.DeleteAclsRequest.DeleteAclsFilter;
import io.rivulet.protocol.message.DeleteAclsResponse;
import io.rivulet.protocol.message.DescribeAclsRequest;
import io.rivulet.protocol.message.DescribeAclsResponse;
import io.rivulet.protocol.message.DescribeClusterRequest;
import io.rivulet.protocol.message.DescribeClusterResponse;
import io.rivulet.protocol.message.StreamsGroupDescribeRequest;
import io.rivulet.protocol.message.StreamsGroupDescribeResponse;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest;
import io.rivulet.protocol.message.StreamsGroupHeartbeatResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that describe the cluster and the broker. */
final class ClusterApisTest {
    @RegisterExtension
    final TestBroker broker = new TestBroker();

    @Test
    void apiVersionsListsTheServedApis() throws Exception {
        ApiVersionsResponse response = broker.ask(ApiKey.API_VERSIONS, client("test", "1"), ApiVersionsResponse::read);

        assertThat(response.errorCode()).isZero();
        assertThat(response.apiKeys()).isEqualTo(broker.routes().advertised());
        assertThat(response.finalizedFeatures()).isNotEmpty();
    }

    @Test
    void olderClientsGetNoLevelZero() throws Exception {
        ApiVersionsResponse response =
                broker.ask(ApiKey.API_VERSIONS, 3, client("test", "1"), ApiVersionsResponse::read);

        assertThat(response.supportedFeatures())
                .extracting(SupportedFeatureKey::name, SupportedFeatureKey::minVersion, SupportedFeatureKey::maxVersion)
                .containsExactly(
                        tuple("metadata.version", (short) 7, (short) 30),
                        tuple("group.version", (short) 1, (short) 1),
                        tuple("transaction.version", (short) 1, (short) 2),
                        tuple("share.version", (short) 1, (short) 1));
    }

    @Test
    void anUnknownVersionIsAnsweredWithTheKnownVersions() throws Exception {
        ApiVersionsResponse response =
                broker.ask(ApiKey.API_VERSIONS, 0, Request.OF_UNKNOWN_VERSION, ApiVersionsResponse::read);

        assertThat(response.errorCode()).isEqualTo(ErrorCode.UNSUPPORTED_VERSION.code());
        assertThat(response.apiKeys()).extracting(ApiVersion::apiKey).containsExactly(ApiKey.API_VERSIONS.id());
    }

    private static ApiVersionsRequest client(String name, String version) {
        return new ApiVersionsRequest().clientSoftwareName(name).clientSoftwareVersion(version);
    }

    private ErrorCode verdict(ApiVersionsRequest request, int version) throws Exception {
        ApiVersionsResponse response = broker.ask(ApiKey.API_VERSIONS, version, request, ApiVersionsResponse::read);
        return ErrorCode.forCode(response.errorCode());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-a", "a-", ".a", "a.", "a b", "a_b", "\u00e4"})
    void aClientWithAWrongNameOrVersionIsRefused(String wrong) throws Exception {
        assertThat(verdict(client(wrong, "1"), 3)).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(verdict(client("test", wrong), 5)).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(verdict(client(wrong, wrong), 2)).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void namesOfClientsHaveLettersAndDigitsAndBetweenThemHyphensAndDots() throws Exception {
        assertThat(verdict(client("apache-kafka-java", "4.3.1-SNAPSHOT"), 4)).isEqualTo(ErrorCode.NONE);
        assertThat(verdict(client("Z", "0"), 4)).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void aClientThatExpectsAnotherClusterMustBootstrapAgain() throws Exception {
        ApiVersionsRequest request = client("test", "1").clusterId("another").nodeId(TestBroker.NODE_ID);

        ApiVersionsResponse response = broker.ask(ApiKey.API_VERSIONS, request, ApiVersionsResponse::read);

        assertThat(response.errorCode()).isEqualTo(ErrorCode.REBOOTSTRAP_REQUIRED.code());
    }

    @Test
    void requestsOfGroupsThatAreNotServedGetUnsupportedVersion() throws Exception {
        short unsupported = ErrorCode.UNSUPPORTED_VERSION.code();

        assertThat(broker.ask(
                                ApiKey.STREAMS_GROUP_HEARTBEAT,
                                new StreamsGroupHeartbeatRequest(),
                                StreamsGroupHeartbeatResponse::read)
                        .errorCode())
                .isEqualTo(unsupported);
        assertThat(broker.ask(
                                ApiKey.STREAMS_GROUP_DESCRIBE,
                                new StreamsGroupDescribeRequest().groupIds(List.of("a", "b")),
                                StreamsGroupDescribeResponse::read)
                        .groups())
                .hasSize(2)
                .allMatch(group -> group.errorCode() == unsupported);
        assertThat(broker.routes().advertised())
                .extracting(ApiVersion::apiKey)
                .doesNotContain(ApiKey.STREAMS_GROUP_HEARTBEAT.id());
    }

    @Test
    void theClusterIsThisBroker() throws Exception {
        DescribeClusterResponse response =
                broker.ask(ApiKey.DESCRIBE_CLUSTER, new DescribeClusterRequest(), DescribeClusterResponse::read);

        assertThat(response.controllerId()).isEqualTo(TestBroker.NODE_ID);
        assertThat(response.brokers()).hasSize(1);
        assertThat(response.brokers().get(0).port()).isEqualTo(9092);
    }

    @Test
    void controllersAreNotDescribed() throws Exception {
        DescribeClusterResponse response = broker.ask(
                ApiKey.DESCRIBE_CLUSTER,
                new DescribeClusterRequest().endpointType((byte) 2),
                DescribeClusterResponse::read);

        assertThat(response.errorCode()).isEqualTo(ErrorCode.MISMATCHED_ENDPOINT_TYPE.code());
    }

    @Test
    void thereAreNoAccessControlLists() throws Exception {
        short disabled = ErrorCode.SECURITY_DISABLED.code();

        assertThat(broker.ask(ApiKey.DESCRIBE_ACLS, new DescribeAclsRequest(), DescribeAclsResponse::read)
                        .errorCode())
                .isEqualTo(disabled);
        assertThat(broker.ask(
                                ApiKey.CREATE_ACLS,
                                new CreateAclsRequest().creations(List.of(new AclCreation())),
                                CreateAclsResponse::read)
                        .results())
                .hasSize(1)
                .allMatch(result -> result.errorCode() == disabled);
        assertThat(broker.ask(
                                ApiKey.DELETE_ACLS,
                                new DeleteAclsRequest().filters(List.of(new DeleteAclsFilter())),
                                DeleteAclsResponse::read)
                        .filterResults())
                .hasSize(1)
                .allMatch(result -> result.errorCode() == disabled);
    }
}
