package io.rivulet.broker.api.config;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.Futures;
import io.rivulet.broker.dynamic.Resource;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Alters configs of resources, for both APIs that do so. Immutable. */
record ConfigChanges(ConfigKinds kinds) {
    /**
     * One change of a request.
     *
     * @param keys the keys in the request
     * @param newConfigs computes the new configs of the resource from the present ones
     * @param refused called with the refusal, if there is one
     */
    record Change(
            Resource resource,
            List<String> keys,
            BiFunction<ConfigKind, Map<String, String>, Map<String, String>> newConfigs,
            Consumer<RefusedException> refused) {}

    /** Runs the action when each change is durable or refused. A resource must not be repeated. */
    void alter(List<Change> changes, boolean validateOnly, Access access, Runnable action) {
        Map<Resource, Integer> times = new HashMap<>();
        changes.forEach(change -> times.merge(change.resource, 1, Integer::sum));
        Futures.whenAllEnded(
                changes.stream()
                        .map(change -> Futures.attempt(
                                () -> alter(change, times.getOrDefault(change.resource, 0) > 1, validateOnly, access),
                                change.refused))
                        .toList(),
                action);
    }

    private CompletionStage<?> alter(Change change, boolean repeated, boolean validateOnly, Access access) {
        if (repeated) {
            throw new RefusedException(ErrorCode.INVALID_REQUEST, "each resource must appear at most once");
        }
        ConfigAccess.require(access, Operation.ALTER_CONFIGS, change.resource);
        if (Set.copyOf(change.keys).size() < change.keys.size()) {
            throw new RefusedException(ErrorCode.INVALID_REQUEST, "each key must appear at most once");
        }
        ConfigKind kind = kinds.require(change.resource.type());
        String name = change.resource.name();
        Map<String, String> before = kind.present(name);
        Map<String, String> after = change.newConfigs.apply(kind, before);
        kind.check(name, after);
        CompletableFuture<Void> tried = Futures.allOf(kind.tryOut(name, after).toCompletableFuture());
        return validateOnly ? tried : tried.thenCompose(done -> kind.change(name, differences(before, after), after));
    }

    private static Map<String, @Nullable String> differences(Map<String, String> before, Map<String, String> after) {
        Map<String, @Nullable String> differences = new HashMap<>();
        Set<String> keys = new HashSet<>(before.keySet());
        keys.addAll(after.keySet());
        for (String key : keys) {
            String value = after.get(key);
            if (value == null || !value.equals(before.get(key))) {
                differences.put(key, value);
            }
        }
        return differences;
    }
}
