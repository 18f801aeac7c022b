package io.rivulet.broker.sasl;

import io.rivulet.broker.config.BrokerKey;
import io.rivulet.broker.config.ConfigException;
import io.rivulet.broker.config.SaslMechanism;
import io.rivulet.store.Store;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Users of SCRAM that a start makes if they are not there, in the format of Kafka's {@code kafka-storage --add-scram}:
 *
 * <pre>
 * SCRAM-SHA-256=[name=alice,password=secret,iterations=8192]
 * SCRAM-SHA-512=[name=bob,salt=base64,saltedpassword=base64,iterations=4096]
 * </pre>
 *
 * <p>Immutable.
 */
public final class FirstUsers {
    private static final Pattern USER = Pattern.compile("\\s*([^=\\s]+)=\\[([^\\]]*)\\]\\s*;?");
    private static final String ALLOWED =
            "SCRAM-SHA-256=[name=...,password=...,iterations=4096 to 16384] or SCRAM-SHA-512=[...], or salt and"
                    + " saltedpassword in base 64 instead of the password";

    private record User(String name, Scram scram, ScramCredential credential) {}

    private final List<User> users = new ArrayList<>();

    /** @throws ConfigException if the text has another format */
    public FirstUsers(String text) {
        Matcher next = USER.matcher(text);
        int end = 0;
        while (next.lookingAt()) {
            users.add(user(next.group(1), next.group(2)));
            end = next.end();
            next.region(end, text.length());
        }
        if (!text.substring(end).isBlank()) {
            throw refused();
        }
    }

    private static User user(String mechanism, String options) {
        Map<String, String> values = new HashMap<>();
        for (String option : options.split(",", -1)) {
            int equals = option.indexOf('=');
            if (equals > 0) {
                values.put(
                        option.substring(0, equals).strip(),
                        option.substring(equals + 1).strip());
            }
        }
        Scram scram = scram(mechanism);
        String name = values.getOrDefault("name", "");
        if (scram == null || name.isEmpty() || name.length() > ScramUsers.MAX_NAME_CHARS) {
            throw refused();
        }
        try {
            int iterations = Integer.parseInt(values.getOrDefault("iterations", "" + Scram.MIN_ITERATIONS));
            String salt = values.get("salt");
            byte[] salted = Base64.getDecoder().decode(values.getOrDefault("saltedpassword", ""));
            String password = values.getOrDefault("password", "");
            if (iterations < Scram.MIN_ITERATIONS
                    || iterations > Scram.MAX_ITERATIONS
                    || password.isEmpty() == (salted.length == 0)
                    || (salted.length > 0 && salt == null)) {
                throw refused();
            }
            byte[] bytes =
                    salt == null ? ScramUsers.newSalt() : Base64.getDecoder().decode(salt);
            return new User(
                    name,
                    scram,
                    scram.credential(
                            salted.length > 0 ? salted : scram.saltedPassword(password, bytes, iterations),
                            bytes,
                            iterations));
        } catch (IllegalArgumentException e) {
            throw refused();
        }
    }

    private static @Nullable Scram scram(String mechanism) {
        for (Scram scram : Scram.values()) {
            SaslMechanism known = scram.mechanism();
            if (known.text().equals(mechanism)) {
                return scram;
            }
        }
        return null;
    }

    /** The value is a secret. */
    private static ConfigException refused() {
        return new ConfigException(BrokerKey.ADD_SCRAM.key(), "...", ALLOWED);
    }

    /** Returns when they are durable. A user that has a password already keeps it. */
    public void addTo(Store store, ScramUsers known) throws IOException {
        List<CompletableFuture<?>> changes = new ArrayList<>();
        for (User user : users) {
            if (!known.of(user.name()).containsKey(user.scram())) {
                changes.add(known.change(store, user.name(), user.scram(), user.credential())
                        .toCompletableFuture());
            }
        }
        try {
            changes.forEach(CompletableFuture::join);
        } catch (CompletionException e) {
            throw new IOException("users can't be added", e);
        }
    }
}
