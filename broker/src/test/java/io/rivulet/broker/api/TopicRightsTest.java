package io.rivulet.broker.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.TestBroker;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.access.TestRights;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.CreateTopicsResponse.CreatableTopicResult;
import io.rivulet.protocol.message.DeleteTopicsRequest;
import io.rivulet.protocol.message.DeleteTopicsRequest.DeleteTopicState;
import io.rivulet.protocol.message.DeleteTopicsResponse;
import io.rivulet.protocol.message.DeleteTopicsResponse.DeletableTopicResult;
import io.rivulet.protocol.message.DescribeTopicPartitionsRequest;
import io.rivulet.protocol.message.DescribeTopicPartitionsRequest.TopicRequest;
import io.rivulet.protocol.message.DescribeTopicPartitionsResponse;
import io.rivulet.protocol.message.DescribeTopicPartitionsResponse.DescribeTopicPartitionsResponseTopic;
import io.rivulet.protocol.message.MetadataRequest;
import io.rivulet.protocol.message.MetadataRequest.MetadataRequestTopic;
import io.rivulet.protocol.message.MetadataResponse;
import io.rivulet.protocol.message.MetadataResponse.MetadataResponseTopic;
import io.rivulet.protocol.wire.Uuid;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a client sees of topics, and what it may change, with few rights. */
final class TopicRightsTest {
    private static final short DENIED = ErrorCode.TOPIC_AUTHORIZATION_FAILED.code();

    @RegisterExtension
    final TestBroker broker = new TestBroker();

    private final TestRights rights = new TestRights();
    private Uuid secretId = Uuid.ZERO;

    @BeforeEach
    void createTopics() throws Exception {
        List<CreatableTopicResult> created = broker.tryCreateTopics("open", "secret");
        secretId = created.get(1).topicId();
        broker.access(rights.topic(Operation.DESCRIBE, "open", "missing"));
    }

    private MetadataResponse metadata(MetadataRequestTopic... topics) throws Exception {
        return broker.ask(
                ApiKey.METADATA,
                new MetadataRequest().topics(List.of(topics)).allowAutoTopicCreation(true),
                MetadataResponse::read);
    }

    private static MetadataRequestTopic named(String name) {
        return new MetadataRequestTopic().name(name);
    }

    @Test
    void aTopicThatMayNotBeDescribedLooksAsIfItDidNotExist() throws Exception {
        List<MetadataResponseTopic> answers =
                metadata(named("secret"), named("no-such-topic")).topics();

        assertThat(answers).extracting(MetadataResponseTopic::errorCode).containsExactly(DENIED, DENIED);
        assertThat(answers).allMatch(topic -> topic.topicId().equals(Uuid.ZERO));
        assertThat(answers).allMatch(topic -> topic.partitions().isEmpty());
    }

    @Test
    void anIdDoesNotTellTheName() throws Exception {
        MetadataResponseTopic answer = metadata(
                        new MetadataRequestTopic().name(null).topicId(secretId))
                .topics()
                .get(0);

        assertThat(answer.errorCode()).isEqualTo(DENIED);
        assertThat(answer.name()).isNull();
    }

    @Test
    void allTopicsAreThoseThatMayBeDescribed() throws Exception {
        MetadataResponse all = broker.ask(
                ApiKey.METADATA,
                new MetadataRequest().topics(null).includeTopicAuthorizedOperations(true),
                MetadataResponse::read);

        assertThat(all.topics()).extracting(MetadataResponseTopic::name).containsExactly("open");
        assertThat(all.topics().get(0).topicAuthorizedOperations()).isEqualTo(Operation.DESCRIBE.bit());
    }

    @Test
    void aTopicIsCreatedOnDemandOnlyForAClientThatMayCreateIt() throws Exception {
        assertThat(metadata(named("missing")).topics().get(0).errorCode()).isEqualTo(DENIED);
        rights.topic(Operation.CREATE, "missing");
        assertThat(metadata(named("missing")).topics().get(0).errorCode()).isZero();
    }

    @Test
    void operationsOnTheClusterAreThoseThatAreAllowed() throws Exception {
        rights.cluster(Operation.CREATE);
        assertThat(operationsOnCluster()).isZero();
        rights.cluster(Operation.DESCRIBE);
        assertThat(operationsOnCluster()).isEqualTo(Operation.CREATE.bit() | Operation.DESCRIBE.bit());
    }

    private int operationsOnCluster() throws Exception {
        MetadataRequest request = new MetadataRequest().topics(List.of()).includeClusterAuthorizedOperations(true);
        return broker.ask(ApiKey.METADATA, 8, request, MetadataResponse::read).clusterAuthorizedOperations();
    }

    @Test
    void pagesOfTopicsHaveThoseThatMayBeDescribed() throws Exception {
        List<DescribeTopicPartitionsResponseTopic> all = pages();
        List<DescribeTopicPartitionsResponseTopic> named = pages("open", "secret", "no-such-topic");

        assertThat(all).extracting(DescribeTopicPartitionsResponseTopic::name).containsExactly("open");
        assertThat(named)
                .filteredOn(topic -> topic.errorCode() == DENIED)
                .extracting(DescribeTopicPartitionsResponseTopic::name)
                .containsExactlyInAnyOrder("secret", "no-such-topic");
    }

    private List<DescribeTopicPartitionsResponseTopic> pages(String... names) throws Exception {
        DescribeTopicPartitionsRequest request = new DescribeTopicPartitionsRequest()
                .topics(Stream.of(names)
                        .map(name -> new TopicRequest().name(name))
                        .toList());
        return broker.ask(ApiKey.DESCRIBE_TOPIC_PARTITIONS, request, DescribeTopicPartitionsResponse::read)
                .topics();
    }

    @Test
    void oneTopicOfARequestIsCreatedAndTheOtherIsNot() throws Exception {
        rights.topic(Operation.CREATE, "new");

        List<CreatableTopicResult> results = broker.tryCreateTopics("new", "other");

        assertThat(results).extracting(CreatableTopicResult::errorCode).containsExactly((short) 0, DENIED);
    }

    @Test
    void theConfigsOfANewTopicAreForThoseThatMayDescribeThem() throws Exception {
        rights.cluster(Operation.CREATE);
        assertThat(broker.tryCreateTopics("first").get(0))
                .matches(result -> result.topicConfigErrorCode() == DENIED && result.numPartitions() == -1);
        rights.topic(Operation.DESCRIBE_CONFIGS, "second");
        assertThat(broker.tryCreateTopics("second").get(0))
                .matches(result -> result.topicConfigErrorCode() == 0 && result.numPartitions() == 1);
    }

    @Test
    void aTopicIsDeletedOnlyByAClientThatMayDeleteIt() throws Exception {
        rights.topic(Operation.DELETE, "open");

        assertThat(delete(new DeleteTopicState().name("secret")).errorCode()).isEqualTo(DENIED);
        assertThat(delete(new DeleteTopicState().name("no-such-topic")).errorCode())
                .isEqualTo(DENIED);
        assertThat(delete(new DeleteTopicState().name("missing")).errorCode())
                .isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code());
        assertThat(delete(new DeleteTopicState().name("open")).errorCode()).isZero();
    }

    @Test
    void theNameBehindAnIdIsToldOnlyToAClientThatMayDescribeIt() throws Exception {
        DeletableTopicResult hidden = delete(new DeleteTopicState().name(null).topicId(secretId));
        rights.topic(Operation.DESCRIBE, "secret");
        DeletableTopicResult known = delete(new DeleteTopicState().name(null).topicId(secretId));

        assertThat(hidden).matches(result -> result.errorCode() == DENIED && result.name() == null);
        assertThat(known).matches(result -> result.errorCode() == DENIED && "secret".equals(result.name()));
    }

    private DeletableTopicResult delete(DeleteTopicState topic) throws Exception {
        return broker.ask(
                        ApiKey.DELETE_TOPICS,
                        new DeleteTopicsRequest().topics(List.of(topic)).timeoutMs(1000),
                        DeleteTopicsResponse::read)
                .responses()
                .get(0);
    }
}
