package io.rivulet.prove.damage;

import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.DescribeAclsRequest;
import io.rivulet.protocol.message.DescribeAclsResponse;
import io.rivulet.protocol.message.DescribeClientQuotasRequest;
import io.rivulet.protocol.message.DescribeClientQuotasResponse;
import io.rivulet.protocol.message.DescribeConfigsRequest;
import io.rivulet.protocol.message.DescribeConfigsRequest.DescribeConfigsResource;
import io.rivulet.protocol.message.DescribeConfigsResponse;
import io.rivulet.protocol.message.DescribeGroupsRequest;
import io.rivulet.protocol.message.DescribeGroupsResponse;
import io.rivulet.protocol.message.DescribeProducersRequest;
import io.rivulet.protocol.message.DescribeProducersResponse;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsRequest;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsRequest.DescribeShareGroupOffsetsRequestGroup;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsResponse;
import io.rivulet.protocol.message.DescribeTransactionsRequest;
import io.rivulet.protocol.message.DescribeTransactionsResponse;
import io.rivulet.protocol.message.DescribeUserScramCredentialsRequest;
import io.rivulet.protocol.message.DescribeUserScramCredentialsResponse;
import io.rivulet.protocol.message.ListGroupsRequest;
import io.rivulet.protocol.message.ListGroupsResponse;
import io.rivulet.protocol.message.ListTransactionsRequest;
import io.rivulet.protocol.message.ListTransactionsResponse;
import io.rivulet.protocol.message.MetadataResponse.MetadataResponseTopic;
import io.rivulet.protocol.message.OffsetFetchRequest;
import io.rivulet.protocol.message.OffsetFetchRequest.OffsetFetchRequestGroup;
import io.rivulet.protocol.message.OffsetFetchResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Asks a broker for all state that is not records: a line for each thing. Owned by: one thread. */
final class StateReader {
    private static final byte ANY = 1;
    private static final byte OF_TOPIC = 2;
    private static final byte OF_BROKER = 4;
    private static final byte OF_GROUP = 32;
    private static final int OFFSETS_VERSION = 9;

    private final BrokerConnection broker;
    private final List<MetadataResponseTopic> topics;
    private final Set<String> state;

    StateReader(BrokerConnection broker, List<MetadataResponseTopic> topics, Set<String> state) {
        this.broker = broker;
        this.topics = topics;
        this.state = state;
    }

    void read() {
        topics.forEach(topic -> state.add("topic " + topic));
        List<String> groups = groups();
        groups.forEach(this::groupState);
        configs(groups);
        producers();
        transactions();
        rights();
    }

    private List<String> groups() {
        List<String> groups = new ArrayList<>();
        broker.ask(ApiKey.LIST_GROUPS, new ListGroupsRequest(), ListGroupsResponse.class)
                .groups()
                .forEach(group -> {
                    state.add("group " + group);
                    groups.add(group.groupId());
                });
        return groups;
    }

    private void groupState(String group) {
        broker.ask(
                        ApiKey.DESCRIBE_GROUPS,
                        new DescribeGroupsRequest().groups(List.of(group)),
                        DescribeGroupsResponse.class)
                .groups()
                .forEach(one -> state.add("classic group " + one));
        broker.ask(
                        ApiKey.OFFSET_FETCH,
                        OFFSETS_VERSION,
                        new OffsetFetchRequest()
                                .groups(List.of(new OffsetFetchRequestGroup()
                                        .groupId(group)
                                        .topics(null))),
                        OffsetFetchResponse.class)
                .groups()
                .forEach(answer -> answer.topics()
                        .forEach(topic -> topic.partitions()
                                .forEach(offset ->
                                        state.add("committed by " + group + " in " + topic.name() + ": " + offset))));
        DescribeShareGroupOffsetsRequest share = new DescribeShareGroupOffsetsRequest()
                .groups(List.of(new DescribeShareGroupOffsetsRequestGroup()
                        .groupId(group)
                        .topics(null)));
        broker.ask(ApiKey.DESCRIBE_SHARE_GROUP_OFFSETS, share, DescribeShareGroupOffsetsResponse.class)
                .groups()
                .forEach(answer -> answer.topics()
                        .forEach(topic -> topic.partitions()
                                .forEach(offset -> state.add(
                                        "share group " + group + " in " + topic.topicName() + ": " + offset))));
    }

    private void configs(List<String> groups) {
        List<DescribeConfigsResource> resources = new ArrayList<>();
        resources.add(resource(OF_BROKER, "0"));
        resources.add(resource(OF_BROKER, ""));
        topics.forEach(topic -> resources.add(resource(OF_TOPIC, String.valueOf(topic.name()))));
        groups.forEach(group -> resources.add(resource(OF_GROUP, group)));
        broker.ask(
                        ApiKey.DESCRIBE_CONFIGS,
                        new DescribeConfigsRequest().resources(resources),
                        DescribeConfigsResponse.class)
                .results()
                .forEach(result -> result.configs().stream()
                        .filter(config -> !config.name().equals("log.dirs")
                                && !config.name().equals("log.dir"))
                        .forEach(config -> state.add("config of " + result.resourceType() + " " + result.resourceName()
                                + ": " + config.name() + "=" + config.value() + " from " + config.configSource())));
    }

    private static DescribeConfigsResource resource(byte type, String name) {
        return new DescribeConfigsResource()
                .resourceType(type)
                .resourceName(name)
                .configurationKeys(null);
    }

    private void producers() {
        for (MetadataResponseTopic topic : topics) {
            DescribeProducersRequest request = new DescribeProducersRequest()
                    .topics(List.of(new DescribeProducersRequest.TopicRequest()
                            .name(String.valueOf(topic.name()))
                            .partitionIndexes(
                                    IntStream.range(0, topic.partitions().size())
                                            .toArray())));
            broker.ask(ApiKey.DESCRIBE_PRODUCERS, request, DescribeProducersResponse.class)
                    .topics()
                    .forEach(answer -> answer.partitions()
                            .forEach(partition -> partition
                                    .activeProducers()
                                    .forEach(one -> state.add("producer in " + topic.name() + "-"
                                            + partition.partitionIndex() + ": " + one))));
        }
    }

    private void transactions() {
        List<String> ids = new ArrayList<>();
        broker.ask(ApiKey.LIST_TRANSACTIONS, new ListTransactionsRequest(), ListTransactionsResponse.class)
                .transactionStates()
                .forEach(one -> ids.add(one.transactionalId()));
        if (!ids.isEmpty()) {
            broker.ask(
                            ApiKey.DESCRIBE_TRANSACTIONS,
                            new DescribeTransactionsRequest().transactionalIds(ids),
                            DescribeTransactionsResponse.class)
                    .transactionStates()
                    .forEach(one -> state.add("transaction " + one));
        }
    }

    private void rights() {
        DescribeAclsRequest all = new DescribeAclsRequest()
                .resourceTypeFilter(ANY)
                .resourceNameFilter(null)
                .patternTypeFilter(ANY)
                .principalFilter(null)
                .hostFilter(null)
                .operation(ANY)
                .permissionType(ANY);
        broker.ask(ApiKey.DESCRIBE_ACLS, all, DescribeAclsResponse.class)
                .resources()
                .forEach(resource -> resource.acls()
                        .forEach(acl -> state.add("rule on " + resource.resourceType() + " " + resource.resourceName()
                                + " " + resource.patternType() + ": " + acl)));
        broker.ask(
                        ApiKey.DESCRIBE_USER_SCRAM_CREDENTIALS,
                        new DescribeUserScramCredentialsRequest().users(null),
                        DescribeUserScramCredentialsResponse.class)
                .results()
                .forEach(user -> state.add("user " + user));
        var quotas = broker.ask(
                        ApiKey.DESCRIBE_CLIENT_QUOTAS,
                        new DescribeClientQuotasRequest(),
                        DescribeClientQuotasResponse.class)
                .entries();
        if (quotas != null) {
            quotas.forEach(quota -> state.add("quota " + quota));
        }
    }
}
