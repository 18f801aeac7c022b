package io.rivulet.broker.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.TestBroker;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.access.TestRights;
import io.rivulet.broker.dynamic.Resource;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.message.AlterConfigsRequest;
import io.rivulet.protocol.message.AlterConfigsResponse;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.DescribeConfigsRequest;
import io.rivulet.protocol.message.DescribeConfigsRequest.DescribeConfigsResource;
import io.rivulet.protocol.message.DescribeConfigsResponse;
import io.rivulet.protocol.message.IncrementalAlterConfigsRequest;
import io.rivulet.protocol.message.IncrementalAlterConfigsRequest.AlterConfigsResource;
import io.rivulet.protocol.message.IncrementalAlterConfigsResponse;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Configs, for a client with few rights. */
final class ConfigRightsTest {
    private static final short OF_TOPIC = ErrorCode.TOPIC_AUTHORIZATION_FAILED.code();
    private static final short OF_GROUP = ErrorCode.GROUP_AUTHORIZATION_FAILED.code();
    private static final short OF_CLUSTER = ErrorCode.CLUSTER_AUTHORIZATION_FAILED.code();
    /** One of each type. */
    private static final List<Resource> RESOURCES = List.of(
            new Resource(Resource.TOPIC, "t"),
            new Resource(Resource.GROUP, "g"),
            Resource.broker(TestBroker.NODE_ID),
            new Resource(Resource.BROKER_LOGGER, String.valueOf(TestBroker.NODE_ID)),
            new Resource(Resource.CLIENT_METRICS, "m"));

    @RegisterExtension
    final TestBroker broker = new TestBroker();

    private final TestRights rights = new TestRights();

    @BeforeEach
    void useRights() {
        broker.access(rights);
    }

    @Test
    void configsOfBrokersBelongToTheCluster() throws Exception {
        List<Short> denied = List.of(OF_TOPIC, OF_GROUP, OF_CLUSTER, OF_CLUSTER, OF_CLUSTER);
        assertThat(describe()).isEqualTo(denied);
        assertThat(alter()).isEqualTo(denied);
        assertThat(alterAll()).containsExactly(OF_TOPIC, OF_GROUP, OF_CLUSTER, OF_CLUSTER, OF_CLUSTER);
    }

    @Test
    void theRightToDescribeIsNoRightToAlter() throws Exception {
        rights.topic(Operation.DESCRIBE_CONFIGS, "t")
                .group(Operation.DESCRIBE_CONFIGS, "g")
                .cluster(Operation.DESCRIBE_CONFIGS);
        assertThat(describe()).doesNotContain(OF_TOPIC, OF_GROUP, OF_CLUSTER);
        assertThat(alter()).containsExactly(OF_TOPIC, OF_GROUP, OF_CLUSTER, OF_CLUSTER, OF_CLUSTER);
    }

    @Test
    void theRightToAlterIsEnough() throws Exception {
        rights.topic(Operation.ALTER_CONFIGS, "t")
                .group(Operation.ALTER_CONFIGS, "g")
                .cluster(Operation.ALTER_CONFIGS);
        assertThat(alter()).doesNotContain(OF_TOPIC, OF_GROUP, OF_CLUSTER);
        assertThat(alterAll()).doesNotContain(OF_TOPIC, OF_GROUP, OF_CLUSTER);
    }

    private List<Short> describe() throws Exception {
        DescribeConfigsRequest request = new DescribeConfigsRequest()
                .resources(RESOURCES.stream()
                        .map(one -> new DescribeConfigsResource()
                                .resourceType(one.type())
                                .resourceName(one.name())
                                .configurationKeys(null))
                        .toList());
        return broker.ask(ApiKey.DESCRIBE_CONFIGS, request, DescribeConfigsResponse::read).results().stream()
                .map(DescribeConfigsResponse.DescribeConfigsResult::errorCode)
                .toList();
    }

    private List<Short> alter() throws Exception {
        IncrementalAlterConfigsRequest request = new IncrementalAlterConfigsRequest()
                .resources(RESOURCES.stream()
                        .map(one -> new AlterConfigsResource()
                                .resourceType(one.type())
                                .resourceName(one.name()))
                        .toList());
        return broker
                .ask(ApiKey.INCREMENTAL_ALTER_CONFIGS, request, IncrementalAlterConfigsResponse::read)
                .responses()
                .stream()
                .map(IncrementalAlterConfigsResponse.AlterConfigsResourceResponse::errorCode)
                .toList();
    }

    private List<Short> alterAll() throws Exception {
        AlterConfigsRequest request = new AlterConfigsRequest()
                .resources(RESOURCES.stream()
                        .map(one -> new AlterConfigsRequest.AlterConfigsResource()
                                .resourceType(one.type())
                                .resourceName(one.name()))
                        .toList());
        return broker.ask(ApiKey.ALTER_CONFIGS, request, AlterConfigsResponse::read).responses().stream()
                .map(AlterConfigsResponse.AlterConfigsResourceResponse::errorCode)
                .toList();
    }
}
