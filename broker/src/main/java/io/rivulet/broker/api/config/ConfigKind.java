package io.rivulet.broker.api.config;

import io.rivulet.protocol.message.DescribeConfigsResponse.DescribeConfigsResourceResult;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The configs of all resources of one type. Methods throw {@link io.rivulet.broker.error.RefusedException} or {@link
 * io.rivulet.broker.config.ConfigException} for mistakes of a client.
 */
interface ConfigKind {
    List<DescribeConfigsResourceResult> describe(String resource, Wanted wanted);

    /** The configs that were set for the resource; none if it does not exist. */
    Map<String, String> present(String resource);

    /** Whether words can be added to the value, or removed. */
    boolean isList(String key);

    /** The value of a resource for which none was set. */
    String inherited(String key);

    /** Throws if these may not be the configs of the resource, or there is no such resource. */
    void check(String resource, Map<String, String> configs);

    /**
     * Completes when what allowed configs name, such as a file, was found usable; fails if it is not. Any thread; does
     * not block.
     */
    default CompletionStage<?> tryOut(String resource, Map<String, String> configs) {
        return CompletableFuture.completedFuture(null);
    }

    /**
     * Completes when the change is durable and in effect.
     *
     * @param changes new values; null removes the key
     * @param configs all configs after the change, which are allowed
     */
    CompletionStage<?> change(String resource, Map<String, @Nullable String> changes, Map<String, String> configs);
}
