package io.rivulet.it;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.ShareGroupHeartbeatResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The requests of the {@link RightsMatrix}, from the resource rights-requests.txt: a line for each, with API, version
 * and fields. What begins with a dollar sign is made when the request is sent.
 *
 * <p>Immutable.
 */
final class RightsRequests {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_UNQUOTED_PROPERTY_NAMES)
            .enable(JsonReadFeature.ALLOW_SINGLE_QUOTES)
            .build();
    private static final long NO_SUCH_PRODUCER = 4242;

    /** @param name the API, and which of its requests this is */
    record Row(String name, ApiKeys key, short version, RequestMaker request) {}

    /** Makes the request again for each user, because an object may be changed by what encodes it. */
    @FunctionalInterface
    interface RequestMaker {
        ApiMessage of(String user) throws ReflectiveOperationException;
    }

    private final Map<String, Uuid> topicIds;
    /** Who sends the requests. */
    private final String user;

    private RightsRequests(Map<String, Uuid> topicIds, String user) {
        this.topicIds = topicIds;
        this.user = user;
    }

    /** The requests. A line that begins with a space continues the one before. */
    private static List<String> lines() throws IOException {
        try (InputStream in = RightsRequests.class.getResourceAsStream("/rights-requests.txt")) {
            String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            return text.replaceAll("\\n +", " ")
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .toList();
        }
    }

    /** The APIs that have a row. */
    static List<ApiKeys> keys() throws IOException {
        return lines().stream()
                .map(line -> ApiKeys.valueOf(line.split(" ", 2)[0]))
                .distinct()
                .toList();
    }

    List<Row> rows() throws IOException {
        List<Row> rows = new ArrayList<>();
        Map<String, Integer> times = new HashMap<>();
        for (String line : lines()) {
            String[] parts = line.split(" ", 3);
            int time = times.merge(parts[0], 1, Integer::sum);
            ApiKeys key = ApiKeys.valueOf(parts[0]);
            JsonNode fields = JSON.readTree(parts[2]);
            rows.add(new Row(parts[0] + " " + time + ", version " + parts[1], key, Short.parseShort(parts[1]), user -> {
                ApiMessage request = key.messageType.newRequest();
                new RightsRequests(topicIds, user).fill(request, fields);
                return request;
            }));
        }
        return rows;
    }

    // ---- what the requests are about ----

    /** Makes two topics, two groups with offsets, two transactional ids, and a group of each kind with a member. */
    static RightsRequests prepare(Wire admin) throws Exception {
        RightsRequests requests = new RightsRequests(new HashMap<>(), RightsUsers.SUPER);
        CreateTopicsResponseData created = (CreateTopicsResponseData) requests.ask(
                admin,
                "CREATE_TOPICS 7 {timeoutMs: 10000, topics: [{name: 'mine', numPartitions: 1, replicationFactor: 1},"
                        + " {name: 'other', numPartitions: 1, replicationFactor: 1}]}");
        created.topics().forEach(topic -> requests.topicIds.put(topic.name(), topic.topicId()));
        // Kafka creates its internal topics then.
        requests.await(admin, "FIND_COORDINATOR 3 {keyType: 0, key: 'mine'}", "=0");
        requests.await(admin, "FIND_COORDINATOR 3 {keyType: 1, key: 'mine'}", "=0");
        for (String name : List.of("mine", "other")) {
            requests.await(
                    admin,
                    "OFFSET_COMMIT 9 {groupId: '" + name + "', topics: ["
                            + "{name: 'mine', partitions: [{committedOffset: 1}]},"
                            + "{name: 'other', partitions: [{committedOffset: 1}]}]}",
                    "mine/0=0 other/0=0");
            requests.await(
                    admin, "INIT_PRODUCER_ID 4 {transactionalId: '" + name + "', transactionTimeoutMs: 60000}", "=0");
        }
        Awaitility.await().atMost(Clients.PATIENCE).until(() -> requests.joinShareGroup(admin) == 2);
        requests.await(
                admin,
                "STREAMS_GROUP_HEARTBEAT 0 {groupId: 'mine-streams', memberId: '$member', memberEpoch: 0,"
                        + " processId: 'p', rebalanceTimeoutMs: 60000, activeTasks: [], standbyTasks: [],"
                        + " warmupTasks: [], topology: {epoch: 0, subtopologies: [{subtopologyId: '0',"
                        + " sourceTopics: ['mine', 'other']}]}}",
                "=0");
        return requests;
    }

    private ApiMessage ask(Wire wire, String line) throws Exception {
        String[] parts = line.split(" ", 3);
        ApiKeys key = ApiKeys.valueOf(parts[0]);
        ApiMessage request = key.messageType.newRequest();
        fill(request, JSON.readTree(parts[2]));
        return wire.ask(key, Short.parseShort(parts[1]), request);
    }

    /** The number of topics that the member gets. Kafka assigns them a while after the first heartbeat. */
    private int joinShareGroup(Wire admin) throws Exception {
        ShareGroupHeartbeatResponseData joined = (ShareGroupHeartbeatResponseData) ask(
                admin,
                "SHARE_GROUP_HEARTBEAT 1 {groupId: 'mine-share', memberId: '$member', memberEpoch: 0,"
                        + " subscribedTopicNames: ['mine', 'other']}");
        return joined.assignment() == null
                ? 0
                : joined.assignment().topicPartitions().size();
    }

    private void await(Wire wire, String line, String outcome) {
        Awaitility.await()
                .atMost(Clients.PATIENCE)
                .until(() -> RightsOutcome.of(ask(wire, line)).equals(outcome));
    }

    // ---- fields ----

    private void fill(Object message, JsonNode fields) throws ReflectiveOperationException {
        for (Map.Entry<String, JsonNode> named : fields.properties()) {
            Field field = message.getClass().getDeclaredField(named.getKey());
            field.setAccessible(true);
            field.set(message, value(field.getType(), field.getGenericType(), named.getValue()));
        }
    }

    private @Nullable Object value(Class<?> type, Type generic, JsonNode json) throws ReflectiveOperationException {
        if (json.isNull()) {
            return null;
        }
        if (json.isString() && json.asString().startsWith("$")) {
            return made(json.asString().substring(1));
        }
        if (Collection.class.isAssignableFrom(type)) {
            return list(type, generic, json);
        }
        if (type == String.class) {
            return json.asString();
        } else if (type == boolean.class) {
            return json.asBoolean();
        } else if (type == byte.class || type == Byte.class) {
            return (byte) json.asInt();
        } else if (type == short.class || type == Short.class) {
            return (short) json.asInt();
        } else if (type == int.class || type == Integer.class) {
            return json.asInt();
        } else if (type == long.class) {
            return json.asLong();
        } else if (type == double.class) {
            return json.asDouble();
        } else if (type == byte[].class) {
            return json.asString().getBytes(StandardCharsets.UTF_8);
        }
        Object inner = type.getDeclaredConstructor().newInstance();
        fill(inner, json);
        return inner;
    }

    @SuppressWarnings("unchecked") // Kafka's collections of named elements are collections of them
    private Object list(Class<?> type, Type generic, JsonNode json) throws ReflectiveOperationException {
        Type elements = generic instanceof ParameterizedType list ? list : type.getGenericSuperclass();
        Class<?> element = (Class<?>) ((ParameterizedType) elements).getActualTypeArguments()[0];
        Collection<Object> list = type == List.class
                ? new ArrayList<>()
                : (Collection<Object>) type.getDeclaredConstructor().newInstance();
        for (JsonNode one : json) {
            list.add(value(element, element, one));
        }
        return list;
    }

    private Object made(String name) {
        return switch (name) {
            case "batch" -> MemoryRecords.withRecords(Compression.NONE, record());
            case "transactional" ->
                MemoryRecords.withTransactionalRecords(Compression.NONE, NO_SUCH_PRODUCER, (short) 0, 0, record());
            case "unknown" -> new Uuid(4, 7);
            case "member" -> new Uuid(4, user.hashCode()).toString();
            default -> Objects.requireNonNull(topicIds.get(name));
        };
    }

    private static SimpleRecord record() {
        return new SimpleRecord(1, new byte[1]);
    }
}
