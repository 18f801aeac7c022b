package io.rivulet.broker.sasl;

import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.config.BrokerKey;
import io.rivulet.broker.config.ConfigException;
import io.rivulet.broker.config.Listener;
import io.rivulet.broker.config.SaslMechanism;
import io.rivulet.broker.config.SaslSettings;
import io.rivulet.store.failure.FailureLatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The listeners of a broker where clients log in, with the users of the configuration. Thread-safe. */
public final class Logins implements AutoCloseable {
    /** The property of the JVM that names a file with login modules. */
    private static final String FILE = "java.security.auth.login.config";

    private static final String SECTION = "KafkaServer";

    private final Map<String, SaslListener> listeners = new HashMap<>();
    private final List<TokenChecks> parts = new ArrayList<>();
    private final Passwords passwords;

    /**
     * Reads the users of all listeners.
     *
     * @throws IOException if the file with login modules can't be read
     * @throws ConfigException if a value has no users, or can't be read
     */
    public Logins(BrokerConfig config, ScramUsers scram, FailureLatch failures) throws IOException {
        passwords = new Passwords(scram);
        if (config.listeners().stream().allMatch(listener -> listener.sasl() == null)) {
            return;
        }
        Map<String, String> users = users(config.users());
        users.forEach(scram::configure);
        Map<String, List<Jaas.Module>> sections = sections();
        for (Listener listener : config.listeners()) {
            SaslSettings settings = listener.sasl();
            if (settings != null) {
                PlainUsers plain = plainUsers(listener.name(), settings, sections, users);
                listeners.put(listener.name(), new SaslListener(settings, plain, scram, checks(settings, failures)));
                passwords.add(plain, settings.mechanisms().keySet());
            }
        }
    }

    private @Nullable TokenChecks checks(SaslSettings settings, FailureLatch failures) {
        if (settings.oauth() == null) {
            return null;
        }
        TokenChecks checks = new TokenChecks(settings.oauth(), failures);
        parts.add(checks);
        return checks;
    }

    @Override
    public void close() {
        parts.forEach(TokenChecks::close);
    }

    /** Those that clients log in with, of all listeners. */
    public Passwords passwords() {
        return passwords;
    }

    /** Null if clients of the listener don't log in. */
    public @Nullable SaslListener find(String listener) {
        return listeners.get(listener);
    }

    /** Names and passwords, in order. */
    private static Map<String, String> users(String text) {
        Map<String, String> users = new LinkedHashMap<>();
        for (String pair : text.split(",", -1)) {
            int colon = pair.indexOf(':');
            if (pair.isBlank()) {
                continue;
            }
            String name = colon < 0 ? "" : pair.substring(0, colon).strip();
            if (name.isEmpty() || colon == pair.length() - 1 || users.put(name, pair.substring(colon + 1)) != null) {
                // The value is a secret.
                throw new ConfigException(
                        BrokerKey.USERS.key(), "...", "name:password, separated by commas, each name once");
            }
        }
        return users;
    }

    /** The first that is there: the key of the listener, its section of the file, the section of all, the users. */
    private static PlainUsers plainUsers(
            String listener,
            SaslSettings settings,
            Map<String, List<Jaas.Module>> sections,
            Map<String, String> users) {
        SaslSettings.OfMechanism plain = settings.mechanisms().get(SaslMechanism.PLAIN);
        if (plain == null) {
            return new PlainUsers(Map.of());
        }
        String name = listener.toLowerCase(Locale.ROOT);
        String key = "listener.name." + name + ".plain." + BrokerKey.SASL_JAAS_CONFIG.key();
        if (!plain.jaas().isEmpty()) {
            try {
                return PlainUsers.ofModules(List.of(Jaas.module(plain.jaas())));
            } catch (Jaas.JaasException e) {
                throw new ConfigException(key, "...", "a login module with its options: the value " + e.getMessage());
            }
        }
        List<Jaas.Module> section = sections.getOrDefault(name + "." + SECTION, sections.get(SECTION));
        if (section == null && users.isEmpty()) {
            throw new ConfigException(
                    key, "", "given, or rivulet.users, or a section " + SECTION + " in the file of -D" + FILE);
        }
        return section == null ? new PlainUsers(users) : PlainUsers.ofModules(Objects.requireNonNull(section));
    }

    private static Map<String, List<Jaas.Module>> sections() throws IOException {
        String given = System.getProperty(FILE, "");
        if (given.isBlank()) {
            return Map.of();
        }
        // A leading "=" means that other files don't count, and there are none.
        String place = given.startsWith("=") ? given.substring(1) : given;
        Path file = Path.of(place.startsWith("file:") ? place.substring("file:".length()) : place);
        try {
            return Jaas.sections(Files.readString(file));
        } catch (Jaas.JaasException e) {
            throw new IOException("the file " + file + " of -D" + FILE + " " + e.getMessage(), e);
        } catch (IOException e) {
            throw new IOException("the file " + file + " of -D" + FILE + " can't be read: " + e.getMessage(), e);
        }
    }
}
