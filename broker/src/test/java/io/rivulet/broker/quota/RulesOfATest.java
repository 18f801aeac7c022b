package io.rivulet.broker.quota;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sets rules without a log. Stateless. */
public final class RulesOfATest {
    private RulesOfATest() {}

    /** @param names of the entity, by type */
    public static void set(QuotaRules rules, Map<String, @Nullable String> names, String key, @Nullable Double limit) {
        Map<String, @Nullable Double> limits = new HashMap<>();
        limits.put(key, limit);
        rules.apply(0, QuotaEntryLayout.entry(List.of(QuotaChange.of(QuotaEntity.of(names), limits))));
    }

    public static void remove(QuotaRules rules, Map<String, @Nullable String> names, String key) {
        set(rules, names, key, null);
    }
}
