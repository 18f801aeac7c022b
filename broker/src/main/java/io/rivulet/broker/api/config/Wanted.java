package io.rivulet.broker.api.config;

import io.rivulet.broker.config.ConfigType;
import io.rivulet.broker.dynamic.ConfigSource;
import io.rivulet.broker.dynamic.LiveConfig.Layer;
import io.rivulet.protocol.message.DescribeConfigsRequest;
import io.rivulet.protocol.message.DescribeConfigsRequest.DescribeConfigsResource;
import io.rivulet.protocol.message.DescribeConfigsResponse.DescribeConfigsResourceResult;
import io.rivulet.protocol.message.DescribeConfigsResponse.DescribeConfigsSynonym;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a request wants to know of a resource. Immutable.
 *
 * @param keys null for all
 */
record Wanted(@Nullable Set<String> keys, boolean synonyms, boolean documentation) {
    static Wanted of(DescribeConfigsRequest request, DescribeConfigsResource resource) {
        List<String> keys = resource.configurationKeys();
        return new Wanted(
                keys == null ? null : new HashSet<>(keys), request.includeSynonyms(), request.includeDocumentation());
    }

    boolean has(String key) {
        return keys == null || keys.contains(key);
    }

    /** Values of a key, as synonyms. */
    static List<DescribeConfigsSynonym> synonyms(String name, List<Layer> layers) {
        return layers.stream()
                .map(layer -> synonym(name, layer.value(), layer.source()))
                .toList();
    }

    static DescribeConfigsSynonym synonym(String name, String value, ConfigSource source) {
        return new DescribeConfigsSynonym().name(name).value(value).source(source.code());
    }

    /** @param all the values of the key, the one in effect first */
    DescribeConfigsResourceResult describe(
            String name, String value, ConfigType type, List<DescribeConfigsSynonym> all, Supplier<String> text) {
        return new DescribeConfigsResourceResult()
                .name(name)
                .value(value)
                .configSource(
                        all.isEmpty() ? ConfigSource.DEFAULT.code() : all.get(0).source())
                .configType(type.wireType())
                .synonyms(synonyms ? all : List.of())
                .documentation(documentation ? text.get() : null);
    }
}
