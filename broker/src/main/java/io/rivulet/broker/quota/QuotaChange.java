package io.rivulet.broker.quota;

import io.rivulet.broker.error.RefusedException;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * New limits of one entity.
 *
 * @param limits by kind; null removes the rule
 */
public record QuotaChange(QuotaEntity entity, Map<QuotaKind, @Nullable Double> limits) {
    /**
     * @param limits by Kafka's keys
     * @throws RefusedException if a key or a limit is not allowed for the entity
     */
    public static QuotaChange of(QuotaEntity entity, Map<String, @Nullable Double> limits) {
        Map<QuotaKind, @Nullable Double> checked = new EnumMap<>(QuotaKind.class);
        for (Map.Entry<String, @Nullable Double> each : limits.entrySet()) {
            Double limit = each.getValue();
            if (limit == null && !isKnown(each.getKey())) {
                continue; // there is nothing to remove
            }
            QuotaKind kind = QuotaKind.require(each.getKey(), entity);
            if (limit != null) {
                kind.check(limit);
            }
            checked.put(kind, limit);
        }
        return new QuotaChange(entity, checked);
    }

    private static boolean isKnown(String key) {
        for (QuotaKind kind : QuotaKind.values()) {
            if (kind.key().equals(key)) {
                return true;
            }
        }
        return false;
    }
}
