package io.rivulet.broker.tool;

import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.ClientException;
import io.rivulet.broker.json.JsonText;
import io.rivulet.protocol.message.AlterClientQuotasRequest;
import io.rivulet.protocol.message.AlterClientQuotasRequest.EntityData;
import io.rivulet.protocol.message.AlterClientQuotasRequest.OpData;
import io.rivulet.protocol.message.AlterClientQuotasResponse;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.DescribeClientQuotasRequest;
import io.rivulet.protocol.message.DescribeClientQuotasRequest.ComponentData;
import io.rivulet.protocol.message.DescribeClientQuotasResponse;
import io.rivulet.protocol.message.DescribeClientQuotasResponse.EntryData;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Queries and changes the quotas of users, clients and addresses. */
final class QuotaQueries {
    private static final byte EXACT = 0;
    private static final byte DEFAULT = 1;
    private static final byte SPECIFIED = 2;

    private QuotaQueries() {}

    /**
     * A name of an entity.
     *
     * @param any whether it stands for every name
     * @param name null for the default of the type
     */
    record Name(String type, boolean any, @Nullable String name) {}

    /** The type of entity in the protocol; null if the word of the command line names none. */
    static @Nullable String type(String word) {
        return switch (word) {
            case "users" -> "user";
            case "clients" -> "client-id";
            case "ips" -> "ip";
            default -> null;
        };
    }

    static List<EntryData> describe(BrokerConnection broker, List<Name> names) {
        List<ComponentData> components = names.stream()
                .map(name -> new ComponentData()
                        .entityType(name.type)
                        .matchType(name.any ? SPECIFIED : name.name == null ? DEFAULT : EXACT)
                        .match(name.name))
                .toList();
        DescribeClientQuotasResponse response = broker.ask(
                ApiKey.DESCRIBE_CLIENT_QUOTAS,
                new DescribeClientQuotasRequest().components(components),
                DescribeClientQuotasResponse.class);
        ClientException.require(response.errorCode(), response.errorMessage(), "reading quotas");
        return Objects.requireNonNull(response.entries());
    }

    /** @param limits null removes one */
    static void alter(BrokerConnection broker, List<Name> names, Map<String, @Nullable Double> limits) {
        List<EntityData> entity = names.stream()
                .map(name -> new EntityData().entityType(name.type).entityName(name.name))
                .toList();
        List<OpData> ops = new ArrayList<>();
        limits.forEach((key, limit) ->
                ops.add(new OpData().key(key).remove(limit == null).value(limit == null ? 0 : limit)));
        broker.ask(
                        ApiKey.ALTER_CLIENT_QUOTAS,
                        new AlterClientQuotasRequest()
                                .entries(List.of(new AlterClientQuotasRequest.EntryData()
                                        .entity(entity)
                                        .ops(ops))),
                        AlterClientQuotasResponse.class)
                .entries()
                .forEach(entry -> ClientException.require(entry.errorCode(), entry.errorMessage(), "changing quotas"));
    }

    static Map<String, @Nullable Object> json(EntryData entry) {
        return JsonText.object(
                "entity",
                entry.entity().stream()
                        .map(name -> JsonText.object("type", name.entityType(), "name", name.entityName()))
                        .toList(),
                "quotas",
                entry.values().stream()
                        .map(value -> JsonText.object("key", value.key(), "value", value.value()))
                        .toList());
    }

    /** As kafka-configs.sh writes it. */
    static String text(EntryData entry) {
        String entity = entry.entity().stream()
                .map(name -> name.entityName() == null
                        ? "the default " + name.entityType()
                        : name.entityType() + " \'" + name.entityName() + "\'")
                .collect(Collectors.joining(", "));
        String values = entry.values().stream()
                .map(value -> value.key() + "=" + value.value())
                .sorted()
                .collect(Collectors.joining(", "));
        return "Quota configs for " + entity + " are " + values;
    }
}
