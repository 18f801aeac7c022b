package io.rivulet.broker.config;

import java.util.HashSet;
import java.util.Set;

/**
 * Whether rules say what clients may do, and what holds besides them. Immutable.
 *
 * @param superUsers principals that may do everything, as type:name
 * @param allowsWithoutRule whether every client may do everything with a resource that no rule names
 */
public record AccessSettings(boolean isOn, Set<String> superUsers, boolean allowsWithoutRule) {
    static final String AUTHORIZER = "org.apache.kafka.metadata.authorizer.StandardAuthorizer";

    public AccessSettings {
        superUsers = Set.copyOf(superUsers);
    }

    static AccessSettings of(ConfigValues values) {
        return new AccessSettings(
                !values.text(BrokerKey.AUTHORIZER_CLASS_NAME).isEmpty(),
                new HashSet<>(ConfigType.principals(values.text(BrokerKey.SUPER_USERS))),
                values.flag(BrokerKey.ALLOW_EVERYONE_IF_NO_ACL_FOUND));
    }
}
