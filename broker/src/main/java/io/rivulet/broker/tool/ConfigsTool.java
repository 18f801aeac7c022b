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
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "configs",
        description = {
            "Describe or change the configs of topics, or describe those of a broker, as kafka-configs.sh does.",
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

        @Option(names = "--entity-type", paramLabel = "topics|brokers", description = "the kind of entity")
        private @Nullable String type;
    }

    @ArgGroup(multiplicity = "1")
    private Action action = new Action();

    @ArgGroup(multiplicity = "1")
    private Entity entity = new Entity();

    @Option(
            names = "--entity-name",
            paramLabel = "name",
            description = "the entity; without it, all topics are described")
    private @Nullable String entityName;

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
        if (entity.topic != null || "topics".equals(entity.type)) {
            return ConfigQueries.TOPIC;
        }
        if (entity.broker != null || "brokers".equals(entity.type)) {
            return ConfigQueries.BROKER;
        }
        throw misused("--entity-type " + entity.type + " is not one of topics, brokers");
    }

    private List<String> names(BrokerConnection broker, byte type) {
        String name = entity.topic != null ? entity.topic : entity.broker != null ? entity.broker : entityName;
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

    private void alter(BrokerConnection broker, byte type, String name) {
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
        broker.ask(
                        ApiKey.INCREMENTAL_ALTER_CONFIGS,
                        new IncrementalAlterConfigsRequest()
                                .resources(List.of(new AlterConfigsResource()
                                        .resourceType(type)
                                        .resourceName(name)
                                        .configs(changes))),
                        IncrementalAlterConfigsResponse.class)
                .responses()
                .forEach(result -> ClientException.require(
                        result.errorCode(), result.errorMessage(), "changing " + noun(type) + " " + name));
    }
}
