package io.rivulet.broker.api.quota;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.quota.QuotaEntity;
import io.rivulet.protocol.message.DescribeClientQuotasRequest;
import io.rivulet.protocol.message.DescribeClientQuotasRequest.ComponentData;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which entities a request asks for. Immutable.
 *
 * @param components what the name must be, by type of entity
 * @param strict whether an entity must have no other types
 */
record QuotaFilter(Map<String, Match> components, boolean strict) {
    private static final byte EXACT = 0;
    private static final byte DEFAULT = 1;
    private static final byte SPECIFIED = 2;

    private static final Set<String> TYPES = Set.of(QuotaEntity.USER, QuotaEntity.CLIENT_ID, QuotaEntity.IP);

    /** @param any whether the name does not matter */
    private record Match(boolean any, @Nullable String name) {}

    /** @throws RefusedException if the filter is not allowed */
    static QuotaFilter of(DescribeClientQuotasRequest request) {
        Map<String, Match> components = new HashMap<>();
        for (ComponentData component : request.components()) {
            String type = component.entityType();
            if (type.isEmpty()) {
                throw invalid("Invalid empty entity type.");
            }
            if (components.containsKey(type)) {
                throw invalid("Entity type " + type + " cannot appear more than once in the filter.");
            }
            if (!TYPES.contains(type)) {
                throw new RefusedException(ErrorCode.UNSUPPORTED_VERSION, "Unsupported entity type " + type);
            }
            components.put(type, match(component));
        }
        if (components.containsKey(QuotaEntity.IP) && components.size() > 1) {
            throw invalid("Invalid entity filter component combination. IP filter component should not be used with "
                    + "user or clientId filter component.");
        }
        return new QuotaFilter(components, request.strict());
    }

    private static Match match(ComponentData component) {
        boolean named = component.match() != null;
        return switch (component.matchType()) {
            case EXACT -> {
                require(named, "an exact match needs a name");
                yield new Match(false, component.match());
            }
            case DEFAULT -> {
                require(!named, "a match of the default has no name");
                yield new Match(false, null);
            }
            case SPECIFIED -> {
                require(!named, "a match of any name has no name");
                yield new Match(true, null);
            }
            default -> throw invalid("Unknown match type " + component.matchType());
        };
    }

    private static void require(boolean valid, String message) {
        if (!valid) {
            throw invalid(message);
        }
    }

    private static RefusedException invalid(String message) {
        return new RefusedException(ErrorCode.INVALID_REQUEST, message);
    }

    /** @param names of an entity, by type */
    boolean matches(Map<String, @Nullable String> names) {
        if (strict && names.size() != components.size()) {
            return false;
        }
        for (Map.Entry<String, Match> component : components.entrySet()) {
            Match wanted = component.getValue();
            if (!names.containsKey(component.getKey())
                    || (!wanted.any && !Objects.equals(wanted.name, names.get(component.getKey())))) {
                return false;
            }
        }
        return true;
    }
}
