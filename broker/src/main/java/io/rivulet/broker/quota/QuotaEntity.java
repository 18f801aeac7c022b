package io.rivulet.broker.quota;

import io.netty.util.NetUtil;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whom a rule is for: a user, a client id, both, or an address. Immutable.
 *
 * @param user null if the rule is not by user
 * @param clientId null if the rule is not by client id
 * @param ip null if the rule is not by address
 */
public record QuotaEntity(
        @Nullable Name user,
        @Nullable Name clientId,
        @Nullable Name ip) {
    public static final String USER = "user";
    public static final String CLIENT_ID = "client-id";
    public static final String IP = "ip";

    /** The longest name, so that a rule fits into an entry of the log. */
    private static final int MOST_CHARS = 8192;

    /** @param text null for all that no other rule names */
    public record Name(@Nullable String text) {
        static final Name DEFAULT = new Name(null);
    }

    /**
     * @param names by type; a value of null is the default of the type
     * @throws RefusedException if there is no such entity, with the words of Kafka
     */
    public static QuotaEntity of(Map<String, @Nullable String> names) {
        if (names.isEmpty()) {
            throw invalid("Invalid empty client quota entity");
        }
        names.forEach(QuotaEntity::check);
        QuotaEntity entity = new QuotaEntity(name(names, USER), name(names, CLIENT_ID), name(names, IP));
        if (entity.ip != null && names.size() > 1) {
            throw invalid("Invalid quota entity combination, IP entity should not be combined with User or ClientId");
        }
        if (entity.ip != null && entity.ip.text != null && entity.address() == null) {
            throw invalid(entity.ip.text + " is not a valid IP.");
        }
        return entity;
    }

    /** The address in its name; null if it has none. */
    @Nullable
    InetAddress address() {
        return ip == null || ip.text == null ? null : NetUtil.createInetAddressFromIpAddressString(ip.text);
    }

    private static void check(String type, @Nullable String name) {
        if (!type.equals(USER) && !type.equals(CLIENT_ID) && !type.equals(IP)) {
            throw invalid("Unhandled client quota entity type: " + type);
        }
        if (name != null && name.isEmpty()) {
            throw invalid("Empty " + type + " not supported");
        }
        if (name != null && name.length() > MOST_CHARS) {
            throw invalid("a name may have " + MOST_CHARS + " characters");
        }
    }

    private static @Nullable Name name(Map<String, @Nullable String> names, String type) {
        return names.containsKey(type) ? new Name(names.get(type)) : null;
    }

    /** By type, as in {@link #of}. */
    public Map<String, @Nullable String> names() {
        Map<String, @Nullable String> names = new LinkedHashMap<>();
        if (user != null) {
            names.put(USER, user.text);
        }
        if (clientId != null) {
            names.put(CLIENT_ID, clientId.text);
        }
        if (ip != null) {
            names.put(IP, ip.text);
        }
        return names;
    }

    private static RefusedException invalid(String message) {
        return new RefusedException(ErrorCode.INVALID_REQUEST, message);
    }
}
