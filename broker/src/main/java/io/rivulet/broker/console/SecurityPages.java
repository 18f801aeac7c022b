package io.rivulet.broker.console;

import io.rivulet.broker.access.Operation;
import io.rivulet.broker.access.ResourceType;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.http.HttpExchange;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.DescribeAclsRequest;
import io.rivulet.protocol.message.DescribeAclsResponse;
import io.rivulet.protocol.message.DescribeAclsResponse.AclDescription;
import io.rivulet.protocol.message.DescribeAclsResponse.DescribeAclsResource;
import io.rivulet.protocol.message.DescribeClientQuotasRequest;
import io.rivulet.protocol.message.DescribeClientQuotasResponse;
import io.rivulet.protocol.message.DescribeClientQuotasResponse.EntryData;
import io.rivulet.protocol.message.DescribeUserScramCredentialsRequest;
import io.rivulet.protocol.message.DescribeUserScramCredentialsResponse;
import io.rivulet.protocol.message.DescribeUserScramCredentialsResponse.DescribeUserScramCredentialsResult;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Who may enter, what they may do, and how much: users, rules of access, quotas. Thread-safe. */
record SecurityPages(BrokerCalls calls) {
    private static final int MOST_ROWS = 1000;
    private static final byte ANY = 1;
    private static final byte DENY = 2;
    private static final byte PREFIXED = 4;
    private static final byte SCRAM_SHA_256 = 1;

    void users(HttpExchange exchange) {
        calls.ask(
                exchange,
                ApiKey.DESCRIBE_USER_SCRAM_CREDENTIALS,
                0,
                new DescribeUserScramCredentialsRequest().users(null),
                DescribeUserScramCredentialsResponse.class,
                answer -> {
                    BrokerCalls.require(answer.errorCode(), answer.errorMessage());
                    exchange.answer(ConsoleApi.json(users(answer.results())));
                });
    }

    private static JsonWriter users(List<DescribeUserScramCredentialsResult> all) {
        JsonWriter json = rows(all.size());
        all.stream().limit(MOST_ROWS).forEach(user -> {
            json.object().field("name", user.user()).key("credentials").array();
            user.credentialInfos()
                    .forEach(of -> json.object()
                            .field("mechanism", of.mechanism() == SCRAM_SHA_256 ? "SCRAM-SHA-256" : "SCRAM-SHA-512")
                            .field("iterations", of.iterations())
                            .endObject());
            json.endArray().endObject();
        });
        return json.endArray().endObject();
    }

    void rules(HttpExchange exchange) {
        calls.ask(
                exchange,
                ApiKey.DESCRIBE_ACLS,
                2,
                new DescribeAclsRequest()
                        .resourceTypeFilter(ANY)
                        .patternTypeFilter(ANY)
                        .operation(ANY)
                        .permissionType(ANY),
                DescribeAclsResponse.class,
                answer -> {
                    if (answer.errorCode() == ErrorCode.SECURITY_DISABLED.code()) {
                        exchange.answer(ConsoleApi.json(rules(List.of(), false)));
                        return;
                    }
                    BrokerCalls.require(answer.errorCode(), answer.errorMessage());
                    exchange.answer(ConsoleApi.json(rules(answer.resources(), true)));
                });
    }

    private static JsonWriter rules(List<DescribeAclsResource> resources, boolean isOn) {
        JsonWriter json = new JsonWriter()
                .object()
                .field("isOn", isOn)
                .field(
                        "count",
                        resources.stream().mapToLong(of -> of.acls().size()).sum())
                .key("rows")
                .array();
        int room = MOST_ROWS;
        for (DescribeAclsResource resource : resources) {
            for (AclDescription rule : resource.acls()) {
                if (room-- <= 0) {
                    return json.endArray().endObject();
                }
                json.object()
                        .field("principal", rule.principal())
                        .field("host", rule.host())
                        .field("denies", rule.permissionType() == DENY)
                        .field("operation", text(Operation.ofCode(rule.operation())))
                        .field("type", text(ResourceType.ofCode(resource.resourceType())))
                        .field("name", resource.resourceName())
                        .field("prefixed", resource.patternType() == PREFIXED)
                        .endObject();
            }
        }
        return json.endArray().endObject();
    }

    private static String text(@Nullable Object name) {
        return String.valueOf(name).toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    void quotas(HttpExchange exchange) {
        calls.ask(
                exchange,
                ApiKey.DESCRIBE_CLIENT_QUOTAS,
                1,
                new DescribeClientQuotasRequest().components(List.of()),
                DescribeClientQuotasResponse.class,
                answer -> {
                    BrokerCalls.require(answer.errorCode(), answer.errorMessage());
                    List<EntryData> entries = answer.entries();
                    exchange.answer(ConsoleApi.json(quotas(entries == null ? List.of() : entries)));
                });
    }

    private static JsonWriter quotas(List<EntryData> all) {
        JsonWriter json = rows(all.size());
        all.stream().limit(MOST_ROWS).forEach(entry -> {
            json.object().key("of").array();
            entry.entity()
                    .forEach(of -> json.object()
                            .field("type", of.entityType())
                            .field("name", of.entityName())
                            .endObject());
            json.endArray().key("limits").array();
            entry.values()
                    .forEach(limit -> json.object()
                            .field("key", limit.key())
                            .field("value", String.valueOf(limit.value()))
                            .endObject());
            json.endArray().endObject();
        });
        return json.endArray().endObject();
    }

    private static JsonWriter rows(int count) {
        return new JsonWriter().object().field("count", count).key("rows").array();
    }
}
