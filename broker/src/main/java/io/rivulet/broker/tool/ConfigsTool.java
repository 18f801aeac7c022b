package io.rivulet.broker.tool;

import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.ClientException;
import io.rivulet.broker.client.TopicQueries;
import io.rivulet.broker.json.JsonText;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.DescribeConfigsResponse.DescribeConfigsResourceResult;
import io.rivulet.protocol.message.IncrementalAlterConfigsRequest;
import io.rivulet.protocol.message.IncrementalAlterConfigsRequest.AlterConfigsResource;
import io.rivulet.protocol.message.IncrementalAlterConfigsRequest.AlterableConfig;
import io.rivulet.protocol.message.IncrementalAlterConfigsResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "configs",
        description = {
            "Describe or change the configs of topics or the quotas of users, clients and ips, or describe the configs",
            "of a broker, as kafka-configs.sh does.",
            "'rivulet config --describe' explains each config.",
        })
public final class ConfigsTool extends DataTool {
    private static final Output.Table ALTERED =
            new Output.Table("Completed updating config for %s %s.%n", "", "entityType,altered");
    private static final byte SET = 0;
    private static final byte DELETE = 1;

    /** Picocli makes sure that exactly one is given, so the last one is not read. */
    @SuppressWarnings("UnusedVariable")
    private static final class Action {
        @Option(names = "--describe", description = "print the configs that were set")
        private boolean describe;

        @Option(names = "--alter", description = "change configs of topics")
        private boolean alter;
    }

    private static final class Entity {
        @Option(names = "--topic", paramLabel = "name", description = "short for --entity-type topics --entity-name")
        private @Nullable String topic;

        @Option(names = "--broker", paramLabel = "id", description = "short for --entity-type brokers --entity-name")
        private @Nullable String broker;

        @Option(
                names = "--entity-type",
                paramLabel = "type",
                description = "topics, brokers, users, clients or ips; users and clients may be given together")
        private List<String> types = new ArrayList<>();
    }

    @ArgGroup(multiplicity = "1")
    private Action action = new Action();

    @ArgGroup(multiplicity = "1")
    private Entity entity = new Entity();

    @Option(
            names = "--entity-name",
            paramLabel = "name",
            description = "the entity, one for each type; without it, all topics are described")
    private List<String> entityNames = new ArrayList<>();

    @Option(names = "--entity-default", description = "with quotas: all that no other quota names")
    private boolean entityDefault;

    @Option(names = "--all", description = "with --describe: print defaults too")
    private boolean all;

    @Option(names = "--add-config", paramLabel = "k=v,k=[v,v]", description = "with --alter: configs to set")
    private @Nullable String added;

    @Option(
            names = "--delete-config",
            paramLabel = "k,k",
            description = "with --alter: configs to reset to their defaults")
    private @Nullable String deleted;

    @Override
    void run(BrokerConnection broker, Output out) {
        if (entity.types.stream().anyMatch(type -> QuotaQueries.type(type) != null)) {
            runQuotas(broker, out);
            return;
        }
        byte type = type();
        for (String name : names(broker, type)) {
            if (action.describe) {
                describe(broker, type, name, out);
            } else {
                alter(broker, type, name);
                out.row(ALTERED, noun(type), name);
            }
        }
    }

    private byte type() {
        if (entity.topic != null || entity.types.equals(List.of("topics"))) {
            return ConfigQueries.TOPIC;
        }
        if (entity.broker != null || entity.types.equals(List.of("brokers"))) {
            return ConfigQueries.BROKER;
        }
        throw misused("--entity-type " + String.join(",", entity.types)
                + " is not one of topics, brokers, users, clients, ips");
    }

    private List<String> names(BrokerConnection broker, byte type) {
        String name = entity.topic != null ? entity.topic : entity.broker != null ? entity.broker : onlyName();
        if (name != null) {
            return List.of(name);
        }
        if (type == ConfigQueries.TOPIC && action.describe) {
            return new TopicQueries(broker)
                    .all().stream()
                            .map(topic -> Objects.requireNonNull(topic.name()))
                            .toList();
        }
        throw misused("Missing required option: '--entity-name'");
    }

    private @Nullable String onlyName() {
        if (entityNames.size() > 1) {
            throw misused("only one --entity-name is possible");
        }
        return entityNames.isEmpty() ? null : entityNames.get(0);
    }

    // ---- quotas ----

    private void runQuotas(BrokerConnection broker, Output out) {
        List<QuotaQueries.Name> names = quotaNames();
        if (action.alter) {
            if (names.stream().anyMatch(QuotaQueries.Name::any)) {
                throw misused("--alter needs --entity-name or --entity-default for each --entity-type");
            }
            QuotaQueries.alter(broker, names, limits());
            out.row(ALTERED, "quotas of", String.join(",", entity.types));
            return;
        }
        QuotaQueries.describe(broker, names).forEach(entry -> {
            if (out.isJson()) {
                out.object(QuotaQueries.json(entry));
            } else {
                out.printf("%s%n", QuotaQueries.text(entry));
            }
        });
    }

    /** The first types have the names. The others have the default if that is wanted, or else any name. */
    private List<QuotaQueries.Name> quotaNames() {
        List<QuotaQueries.Name> names = new ArrayList<>();
        for (int i = 0; i < entity.types.size(); i++) {
            String type = QuotaQueries.type(entity.types.get(i));
            if (type == null) {
                throw misused("--entity-type " + entity.types.get(i) + " has no quotas");
            }
            boolean named = i < entityNames.size();
            names.add(new QuotaQueries.Name(type, !named && !entityDefault, named ? entityNames.get(i) : null));
        }
        if (entityNames.size() > names.size()) {
            throw misused("each --entity-name needs an --entity-type");
        }
        return names;
    }

    private Map<String, @Nullable Double> limits() {
        Map<String, @Nullable Double> limits = new LinkedHashMap<>();
        for (AlterableConfig change : changes()) {
            String value = change.value();
            try {
                limits.put(change.name(), value == null ? null : Double.valueOf(value));
            } catch (NumberFormatException e) {
                throw misused("--add-config " + change.name() + "=" + value + " is no number");
            }
        }
        return limits;
    }

    private static String noun(byte type) {
        return type == ConfigQueries.TOPIC ? "topic" : "broker";
    }

    private void describe(BrokerConnection broker, byte type, String name, Output out) {
        List<DescribeConfigsResourceResult> configs = ConfigQueries.of(broker, type, name);
        if (out.isJson()) {
            out.object(JsonText.object(
                    "entityType",
                    noun(type),
                    "entityName",
                    name,
                    "configs",
                    configs.stream()
                            .filter(config -> all || ConfigQueries.isSet(type, config))
                            .map(config -> JsonText.object(
                                    "name",
                                    config.name(),
                                    "value",
                                    config.value(),
                                    "set",
                                    ConfigQueries.isSet(type, config),
                                    "sensitive",
                                    config.isSensitive()))
                            .toList()));
            return;
        }
        out.printf("%s configs for %s %s are:%n", all ? "All" : "Dynamic", noun(type), name);
        for (DescribeConfigsResourceResult config : configs) {
            if (all || ConfigQueries.isSet(type, config)) {
                out.printf("  %s=%s sensitive=%s%n", config.name(), config.value(), config.isSensitive());
            }
        }
    }

    private List<AlterableConfig> changes() {
        List<AlterableConfig> changes = new ArrayList<>();
        if (added != null) {
            try {
                ConfigText.parse(added)
                        .forEach((key, value) -> changes.add(new AlterableConfig()
                                .name(key)
                                .configOperation(SET)
                                .value(value)));
            } catch (IllegalArgumentException e) {
                throw misused("--add-config " + e.getMessage());
            }
        }
        if (deleted != null) {
            for (String key : deleted.split(",", -1)) {
                changes.add(new AlterableConfig()
                        .name(key.strip())
                        .configOperation(DELETE)
                        .value(null));
            }
        }
        if (changes.isEmpty()) {
            throw misused("--alter needs --add-config or --delete-config");
        }
        return changes;
    }

    private void alter(BrokerConnection broker, byte type, String name) {
        broker.ask(
                        ApiKey.INCREMENTAL_ALTER_CONFIGS,
                        new IncrementalAlterConfigsRequest()
                                .resources(List.of(new AlterConfigsResource()
                                        .resourceType(type)
                                        .resourceName(name)
                                        .configs(changes()))),
                        IncrementalAlterConfigsResponse.class)
                .responses()
                .forEach(result -> ClientException.require(
                        result.errorCode(), result.errorMessage(), "changing " + noun(type) + " " + name));
    }
}
