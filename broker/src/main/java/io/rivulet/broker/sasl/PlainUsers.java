package io.rivulet.broker.sasl;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Names and passwords of the configuration. Immutable. */
final class PlainUsers {
    private static final String MODULE = "org.apache.kafka.common.security.plain.PlainLoginModule";
    private static final String USER = "user_";
    /** What a password is compared with if there is no such user. */
    private static final byte[] DECOY = "no password of any user".getBytes(StandardCharsets.UTF_8);

    private final Map<String, byte[]> passwords = new HashMap<>();

    PlainUsers(Map<String, String> users) {
        users.forEach((name, password) -> passwords.put(name, password.getBytes(StandardCharsets.UTF_8)));
    }

    /** The users in the options of a login module. */
    static PlainUsers ofModules(List<Jaas.Module> modules) {
        Map<String, String> users = new HashMap<>();
        for (Jaas.Module module : modules) {
            if (module.className().equals(MODULE)) {
                module.options().forEach((key, value) -> {
                    if (key.startsWith(USER)) {
                        users.put(key.substring(USER.length()), value);
                    }
                });
            }
        }
        return new PlainUsers(users);
    }

    /** Takes the same time whether the user exists or not, and wherever the passwords differ. */
    boolean matches(String user, String password) {
        byte[] given = password.getBytes(StandardCharsets.UTF_8);
        byte[] known = passwords.get(user);
        boolean same = MessageDigest.isEqual(given, Objects.requireNonNullElse(known, DECOY));
        return same && known != null;
    }
}
