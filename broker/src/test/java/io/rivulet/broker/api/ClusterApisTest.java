package io.rivulet.broker.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.rivulet.broker.TestBroker;
import io.rivulet.broker.call.Request;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ApiVersionsRequest;
import io.rivulet.protocol.message.ApiVersionsResponse;
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
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Requests that describe the cluster and the broker. */
final class ClusterApisTest {
    @RegisterExtension
    final TestBroker broker = new TestBroker();

    @Test
    void apiVersionsListsTheServedApis() throws Exception {
        ApiVersionsResponse response =
                broker.ask(ApiKey.API_VERSIONS, new ApiVersionsRequest(), ApiVersionsResponse::read);

        assertThat(response.errorCode()).isZero();
        assertThat(response.apiKeys()).isEqualTo(broker.routes().advertised());
        assertThat(response.finalizedFeatures()).isNotEmpty();
    }

    @Test
    void olderClientsGetNoLevelZero() throws Exception {
        ApiVersionsResponse response =
                broker.ask(ApiKey.API_VERSIONS, 3, new ApiVersionsRequest(), ApiVersionsResponse::read);

        assertThat(response.supportedFeatures())
                .extracting(SupportedFeatureKey::name, SupportedFeatureKey::minVersion, SupportedFeatureKey::maxVersion)
                .containsExactly(
                        tuple("metadata.version", (short) 7, (short) 30),
                        tuple("group.version", (short) 1, (short) 1),
                        tuple("transaction.version", (short) 1, (short) 2));
    }

    @Test
    void anUnknownVersionIsAnsweredWithTheKnownVersions() throws Exception {
        ApiVersionsResponse response =
                broker.ask(ApiKey.API_VERSIONS, 0, Request.OF_UNKNOWN_VERSION, ApiVersionsResponse::read);

        assertThat(response.errorCode()).isEqualTo(ErrorCode.UNSUPPORTED_VERSION.code());
        assertThat(response.apiKeys()).isNotEmpty();
    }

    @Test
    void aClientThatExpectsAnotherClusterMustBootstrapAgain() throws Exception {
        ApiVersionsRequest request = new ApiVersionsRequest()
                .clientSoftwareName("test")
                .clientSoftwareVersion("1")
                .clusterId("another")
                .nodeId(TestBroker.NODE_ID);

        ApiVersionsResponse response = broker.ask(ApiKey.API_VERSIONS, request, ApiVersionsResponse::read);

        assertThat(response.errorCode()).isEqualTo(ErrorCode.REBOOTSTRAP_REQUIRED.code());
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
