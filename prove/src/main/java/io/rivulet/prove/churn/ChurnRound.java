package io.rivulet.prove.churn;

import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.ClientException;
import io.rivulet.broker.client.ClientSettings;
import io.rivulet.protocol.message.AlterClientQuotasRequest;
import io.rivulet.protocol.message.AlterClientQuotasResponse;
import io.rivulet.protocol.message.AlterUserScramCredentialsRequest;
import io.rivulet.protocol.message.AlterUserScramCredentialsRequest.ScramCredentialDeletion;
import io.rivulet.protocol.message.AlterUserScramCredentialsRequest.ScramCredentialUpsertion;
import io.rivulet.protocol.message.AlterUserScramCredentialsResponse;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.CreateAclsRequest;
import io.rivulet.protocol.message.CreateAclsRequest.AclCreation;
import io.rivulet.protocol.message.CreateAclsResponse;
import io.rivulet.protocol.message.CreateTopicsRequest;
import io.rivulet.protocol.message.CreateTopicsRequest.CreatableTopic;
import io.rivulet.protocol.message.CreateTopicsResponse;
import io.rivulet.protocol.message.DeleteAclsRequest;
import io.rivulet.protocol.message.DeleteAclsRequest.DeleteAclsFilter;
import io.rivulet.protocol.message.DeleteAclsResponse;
import io.rivulet.protocol.message.DeleteTopicsRequest;
import io.rivulet.protocol.message.DeleteTopicsResponse;
import io.rivulet.protocol.message.IncrementalAlterConfigsRequest;
import io.rivulet.protocol.message.IncrementalAlterConfigsRequest.AlterConfigsResource;
import io.rivulet.protocol.message.IncrementalAlterConfigsRequest.AlterableConfig;
import io.rivulet.protocol.message.IncrementalAlterConfigsResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/** Makes some of each kind, under names that were never used, and forgets them. Owned by: one thread. */
final class ChurnRound implements AutoCloseable {
    private static final int LEAST = 60;
    private static final int MORE = 80;
    private static final byte TOPIC = 2;
    private static final byte GROUP = 32;
    private static final byte ANY = 1;
    private static final byte LITERAL = 3;
    private static final byte READ = 3;
    private static final byte ALLOW = 3;
    private static final byte SET = 0;
    private static final byte DELETE = 1;
    private static final byte SHA_256 = 1;
    private static final int ITERATIONS = 4096;
    private static final int TIMEOUT_MILLIS = 30_000;
    private static final int FILLER_BYTES = 1_000_000;
    /** Twice what a restart replays at most. */
    private static final int MOST_FILLER = 1600;

    private final int port;
    private final Set<Kind> made;
    private final Set<Kind> kept;
    private final int times;
    private final BrokerConnection broker;
    private final GroupChurn groups;
    private final ProducerChurn producers;
    /** Only if connections are kept. */
    private final List<BrokerConnection> connections = new ArrayList<>();

    private int round;
    private int fillings;

    /**
     * @param made the kinds of a round
     * @param kept those of them that are not forgotten: for the tests of the check
     * @param times how many times as much as usual
     */
    ChurnRound(int port, Set<Kind> made, Set<Kind> kept, int times) {
        this.port = port;
        this.made = made;
        this.times = times;
        this.kept = kept.isEmpty() ? EnumSet.noneOf(Kind.class) : EnumSet.copyOf(kept);
        this.broker = BrokerConnection.to("localhost:" + port, ClientSettings.PLAIN);
        createTopics(List.of(GroupChurn.TOPIC, ProducerChurn.TOPIC));
        this.groups = new GroupChurn(broker, this.kept);
        this.producers = new ProducerChurn(broker);
    }

    void run(Random random) {
        round++;
        made.forEach(kind -> run(kind, names(kind.name(), random)));
        producers.forgetRecords();
    }

    /** Writes so much that the broker makes a checkpoint, and forgets it. */
    void fill(Checkpoints checkpoints) throws IOException {
        String topic = "filler-" + fillings++;
        createTopics(List.of(topic));
        int before = checkpoints.latest();
        producers.fill(topic, FILLER_BYTES, batches -> {
            if (batches > MOST_FILLER) {
                throw new IOException("no checkpoint after " + batches + " batches of " + FILLER_BYTES);
            }
            return checkpoints.latest() > before;
        });
        deleteTopics(List.of(topic));
    }

    private void run(Kind kind, List<String> names) {
        switch (kind) {
            case TOPICS -> topics(names);
            case PRODUCER_IDS -> producers.plain(names.size());
            case TRANSACTIONAL_IDS -> producers.transactions(names);
            case CONNECTIONS -> connections(names.size());
            case CONFIGS -> configs(names);
            case USERS -> users(names);
            case RULES -> rules(names);
            case QUOTAS -> quotas(names);
            default -> groups.run(kind, names);
        }
    }

    private List<String> names(String kind, Random random) {
        String suffix = "-" + round + "-" + Long.toHexString(random.nextLong()) + "-";
        return IntStream.range(0, times * (LEAST + random.nextInt(MORE)))
                .mapToObj(number -> kind + suffix + number)
                .toList();
    }

    private void topics(List<String> names) {
        createTopics(names);
        producers.write(names);
        if (!kept.contains(Kind.TOPICS)) {
            deleteTopics(names);
        }
    }

    private void deleteTopics(List<String> names) {
        broker.ask(
                        ApiKey.DELETE_TOPICS,
                        5,
                        new DeleteTopicsRequest().timeoutMs(TIMEOUT_MILLIS).topicNames(names),
                        DeleteTopicsResponse.class)
                .responses()
                .forEach(one -> ClientException.require(one.errorCode(), one.errorMessage(), "delete a topic"));
    }

    private void createTopics(List<String> names) {
        broker.ask(
                ApiKey.CREATE_TOPICS,
                new CreateTopicsRequest()
                        .timeoutMs(TIMEOUT_MILLIS)
                        .topics(names.stream()
                                .map(name -> new CreatableTopic()
                                        .name(name)
                                        .numPartitions(2)
                                        .replicationFactor((short) 1))
                                .toList()),
                CreateTopicsResponse.class);
    }

    private void connections(int count) {
        for (int i = 0; i < count; i++) {
            connections.add(BrokerConnection.to("localhost:" + port, ClientSettings.PLAIN));
        }
        if (!kept.contains(Kind.CONNECTIONS)) {
            connections.forEach(BrokerConnection::close);
            connections.clear();
        }
    }

    private void configs(List<String> groupNames) {
        alterConfigs(groupNames, SET);
        if (!kept.contains(Kind.CONFIGS)) {
            alterConfigs(groupNames, DELETE);
        }
    }

    private void alterConfigs(List<String> groupNames, byte operation) {
        broker.ask(
                        ApiKey.INCREMENTAL_ALTER_CONFIGS,
                        new IncrementalAlterConfigsRequest()
                                .resources(groupNames.stream()
                                        .map(name -> new AlterConfigsResource()
                                                .resourceType(GROUP)
                                                .resourceName(name)
                                                .configs(List.of(new AlterableConfig()
                                                        .name("consumer.session.timeout.ms")
                                                        .configOperation(operation)
                                                        .value(operation == SET ? "50000" : null))))
                                        .toList()),
                        IncrementalAlterConfigsResponse.class)
                .responses()
                .forEach(one -> ClientException.require(one.errorCode(), one.errorMessage(), "a config"));
    }

    private void users(List<String> names) {
        alterUsers(new AlterUserScramCredentialsRequest()
                .upsertions(names.stream()
                        .map(name -> new ScramCredentialUpsertion()
                                .name(name)
                                .mechanism(SHA_256)
                                .iterations(ITERATIONS)
                                .salt(new byte[16])
                                .saltedPassword(new byte[32]))
                        .toList()));
        if (!kept.contains(Kind.USERS)) {
            alterUsers(new AlterUserScramCredentialsRequest()
                    .deletions(names.stream()
                            .map(name ->
                                    new ScramCredentialDeletion().name(name).mechanism(SHA_256))
                            .toList()));
        }
    }

    private void alterUsers(AlterUserScramCredentialsRequest request) {
        broker.ask(ApiKey.ALTER_USER_SCRAM_CREDENTIALS, request, AlterUserScramCredentialsResponse.class)
                .results()
                .forEach(one -> ClientException.require(one.errorCode(), one.errorMessage(), "a user"));
    }

    private void rules(List<String> names) {
        broker.ask(
                        ApiKey.CREATE_ACLS,
                        new CreateAclsRequest()
                                .creations(names.stream()
                                        .map(name -> new AclCreation()
                                                .resourceType(TOPIC)
                                                .resourceName(name)
                                                .resourcePatternType(LITERAL)
                                                .principal("User:" + name)
                                                .host("*")
                                                .operation(READ)
                                                .permissionType(ALLOW))
                                        .toList()),
                        CreateAclsResponse.class)
                .results()
                .forEach(one -> ClientException.require(one.errorCode(), one.errorMessage(), "a rule"));
        if (!kept.contains(Kind.RULES)) {
            broker.ask(
                            ApiKey.DELETE_ACLS,
                            new DeleteAclsRequest()
                                    .filters(names.stream()
                                            .map(name -> new DeleteAclsFilter()
                                                    .resourceTypeFilter(TOPIC)
                                                    .resourceNameFilter(name)
                                                    .patternTypeFilter(ANY)
                                                    .principalFilter(null)
                                                    .hostFilter(null)
                                                    .operation(ANY)
                                                    .permissionType(ANY))
                                            .toList()),
                            DeleteAclsResponse.class)
                    .filterResults()
                    .forEach(one -> ClientException.require(one.errorCode(), one.errorMessage(), "a rule"));
        }
    }

    private void quotas(List<String> names) {
        alterQuotas(names, false);
        if (!kept.contains(Kind.QUOTAS)) {
            alterQuotas(names, true);
        }
    }

    private void alterQuotas(List<String> names, boolean remove) {
        broker.ask(
                        ApiKey.ALTER_CLIENT_QUOTAS,
                        new AlterClientQuotasRequest()
                                .entries(names.stream()
                                        .map(name -> new AlterClientQuotasRequest.EntryData()
                                                .entity(List.of(new AlterClientQuotasRequest.EntityData()
                                                        .entityType("user")
                                                        .entityName(name)))
                                                .ops(List.of(new AlterClientQuotasRequest.OpData()
                                                        .key("producer_byte_rate")
                                                        .value(1e9)
                                                        .remove(remove))))
                                        .toList()),
                        AlterClientQuotasResponse.class)
                .entries()
                .forEach(one -> ClientException.require(one.errorCode(), one.errorMessage(), "a quota"));
    }

    @Override
    public void close() {
        connections.forEach(BrokerConnection::close);
        broker.close();
    }
}
