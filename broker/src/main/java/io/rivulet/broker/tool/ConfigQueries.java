package io.rivulet.broker.tool;

import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.ClientException;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.DescribeConfigsRequest;
import io.rivulet.protocol.message.DescribeConfigsRequest.DescribeConfigsResource;
import io.rivulet.protocol.message.DescribeConfigsResponse;
import io.rivulet.protocol.message.DescribeConfigsResponse.DescribeConfigsResourceResult;
import io.rivulet.protocol.message.DescribeConfigsResponse.DescribeConfigsResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Queries the configs of a topic or a broker. */
final class ConfigQueries {
    static final byte TOPIC = 2;
    static final byte BROKER = 4;

    private static final byte DEFAULT_SOURCE = 5;
    private static final byte TOPIC_SOURCE = 1;

    private ConfigQueries() {}

    static List<DescribeConfigsResourceResult> of(BrokerConnection broker, byte type, String name) {
        DescribeConfigsResult result = broker.ask(
                        ApiKey.DESCRIBE_CONFIGS,
                        new DescribeConfigsRequest()
                                .resources(List.of(new DescribeConfigsResource()
                                        .resourceType(type)
                                        .resourceName(name)
                                        .configurationKeys(null))),
                        DescribeConfigsResponse.class)
                .results()
                .get(0);
        ClientException.require(result.errorCode(), result.errorMessage(), "reading the configs of " + name);
        return result.configs();
    }

    /** Whether the value was set and is no default. */
    static boolean isSet(byte type, DescribeConfigsResourceResult config) {
        return type == TOPIC ? config.configSource() == TOPIC_SOURCE : config.configSource() != DEFAULT_SOURCE;
    }

    /** The topic's own configs. */
    static Map<String, @Nullable String> ownOf(BrokerConnection broker, String topic) {
        Map<String, @Nullable String> own = new LinkedHashMap<>();
        of(broker, TOPIC, topic).stream()
                .filter(config -> isSet(TOPIC, config))
                .forEach(config -> own.put(config.name(), config.value()));
        return own;
    }

    /** In one line. */
    static String text(Map<String, @Nullable String> configs) {
        return configs.entrySet().stream()
                .map(config -> config.getKey() + "=" + config.getValue())
                .collect(Collectors.joining(","));
    }
}
