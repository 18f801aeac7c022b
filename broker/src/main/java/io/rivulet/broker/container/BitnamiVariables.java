package io.rivulet.broker.container;

import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Variables of Bitnami's image of Kafka, written as those of apache/kafka. What would make the broker less safe than
 * the variables say stops the start; there are no default passwords. Immutable.
 *
 * @param environment variables of apache/kafka; where both have a value, that of apache/kafka wins, as it does there
 * @param withoutEffect names of variables that ask for something that Rivulet does not have
 */
public record BitnamiVariables(Map<String, String> environment, Set<String> withoutEffect) {
    private static final String PREFIX = "KAFKA_CFG_";
    private static final String USERS = "KAFKA_CLIENT_USERS";
    private static final String PASSWORDS = "KAFKA_CLIENT_PASSWORDS";
    private static final String PLAINTEXT = "ALLOW_PLAINTEXT_LISTENER";

    /** Their values may be in a file, which a variable with the suffix _FILE names. */
    private static final List<String> MAY_BE_IN_A_FILE =
            List.of(USERS, PASSWORDS, BitnamiCertificates.PASSWORD, "KAFKA_CFG_SASL_ENABLED_MECHANISMS");

    /** What a single node that needs no formatting does anyway. */
    private static final Set<String> NOTHING_TO_DO = Set.of(
            "KAFKA_ENABLE_KRAFT",
            "KAFKA_KRAFT_CLUSTER_ID",
            "KAFKA_SKIP_KRAFT_STORAGE_INIT",
            "KAFKA_KRAFT_BOOTSTRAP_SCRAM_USERS",
            "KAFKA_CLIENT_LISTENER_NAME");

    private static final Pattern WITHOUT_EFFECT = Pattern.compile(
            "KAFKA_(?:INTER_BROKER|CONTROLLER)_(?:USER|PASSWORD)(?:_FILE)?|KAFKA_ZOOKEEPER_.*|KAFKA_.*_COMMAND"
                    + "|(?:KAFKA_HEAP_OPTS|KAFKA_OPTS)_FILE");

    /** Names of listeners with an underscore, which would be a dot elsewhere. */
    private static final Pattern LISTENER_WITH_UNDERSCORE = Pattern.compile("LISTENER_NAME_SASL_(SSL|PLAINTEXT)_");

    public BitnamiVariables {
        environment = Map.copyOf(environment);
        withoutEffect = Set.copyOf(withoutEffect);
    }

    /**
     * @param root the root directory, under which Bitnami's paths are
     * @throws ConfigException if a file can't be read, or users and passwords do not fit together
     */
    public static BitnamiVariables translate(Map<String, String> given, Path root) {
        Map<String, String> environment = new HashMap<>(given);
        Set<String> withoutEffect = new TreeSet<>();
        environment.values().removeIf(String::isBlank);
        environment.keySet().removeIf(NOTHING_TO_DO::contains);
        environment.keySet().removeIf(name -> isWithoutEffect(name) && withoutEffect.add(name));
        MAY_BE_IN_A_FILE.forEach(name -> readFile(name, environment));
        BitnamiCertificates.translate(environment, root);
        translateUsers(environment);
        given.keySet().stream().filter(name -> name.startsWith(PREFIX)).forEach(name -> {
            String value = environment.remove(name);
            if (value != null) {
                environment.putIfAbsent("KAFKA_" + key(name), value);
            }
        });
        return new BitnamiVariables(environment, withoutEffect);
    }

    /** @throws ConfigException if the variables forbid listeners that neither encrypt nor ask who clients are */
    public static void requireAllowed(BrokerConfig config, Map<String, String> environment) {
        String allowed = environment.getOrDefault(PLAINTEXT, "yes");
        boolean isForbidden =
                Set.of("no", "false", "0").contains(allowed.strip().toLowerCase(Locale.ROOT));
        config.listeners().stream()
                .filter(listener -> isForbidden && listener.tls() == null && listener.sasl() == null)
                .findFirst()
                .ifPresent(listener -> {
                    throw new ConfigException(
                            PLAINTEXT,
                            allowed,
                            "yes, because the listener " + listener.name() + " has the protocol PLAINTEXT");
                });
    }

    /** The file that Bitnami's image would read; null if none is mounted. */
    public static @Nullable Path mountedFile(Map<String, String> environment, Path root) {
        return configFolders(environment, root).stream()
                .map(folder -> folder.resolve("server.properties"))
                .filter(Files::isRegularFile)
                .findFirst()
                .orElse(null);
    }

    /** Folders with the configuration, the first one wins. */
    static List<Path> configFolders(Map<String, String> environment, Path root) {
        List<Path> folders = new ArrayList<>();
        String mounted = environment.getOrDefault("KAFKA_MOUNTED_CONF_DIR", "");
        folders.add(root.resolve(mounted.isBlank() ? "bitnami/kafka/config" : mounted));
        folders.add(root.resolve("opt/bitnami/kafka/config"));
        folders.add(root.resolve("opt/bitnami/kafka/conf"));
        return folders;
    }

    /**
     * Where records are if a volume is mounted where Bitnami's image has them. Otherwise they would be in another
     * volume, which ends with the container.
     *
     * @return null if no volume is there
     */
    public static @Nullable String dataDirectory(Path mounts) {
        try {
            return Files.readAllLines(mounts).stream()
                    .map(line -> line.split(" ", -1))
                    .filter(fields -> fields.length > 4)
                    .map(fields -> fields[4])
                    .filter(Set.of("/bitnami", "/bitnami/kafka", "/bitnami/kafka/data")::contains)
                    .findFirst()
                    .map(mount -> "/bitnami/kafka/data")
                    .orElse(null);
        } catch (IOException e) {
            return null; // not Linux, so there is no container
        }
    }

    private static boolean isWithoutEffect(String name) {
        return WITHOUT_EFFECT.matcher(name).matches();
    }

    private static String key(String name) {
        Matcher listener = LISTENER_WITH_UNDERSCORE.matcher(name.substring(PREFIX.length()));
        return listener.replaceFirst("LISTENER_NAME_SASL__$1_");
    }

    private static void readFile(String name, Map<String, String> environment) {
        String variable = name + "_FILE";
        String file = environment.remove(variable);
        if (file == null) {
            return;
        }
        try {
            environment.put(name, Files.readString(Path.of(file)).replaceAll("[\r\n]+$", ""));
        } catch (IOException e) {
            throw new ConfigException(variable, file, "the name of a readable file with text in UTF-8");
        }
    }

    /** Users without passwords would have Bitnami's default password, so they are refused. */
    private static void translateUsers(Map<String, String> environment) {
        String names = environment.remove(USERS);
        String secrets = environment.remove(PASSWORDS);
        if (names == null && secrets == null) {
            return;
        }
        String[] users = words(names == null ? "user" : names);
        String[] passwords = words(secrets == null ? "" : secrets);
        if (users.length != passwords.length) {
            throw new ConfigException(
                    PASSWORDS,
                    "...",
                    "a password for each name in " + USERS + ", which has " + users.length + "; here are "
                            + passwords.length);
        }
        StringBuilder pairs = new StringBuilder();
        for (int i = 0; i < users.length; i++) {
            pairs.append(i == 0 ? "" : ",").append(users[i]).append(':').append(passwords[i]);
        }
        if (environment.put("KAFKA_RIVULET_USERS", pairs.toString()) != null) {
            throw new ConfigException(USERS, "...", "nothing, because KAFKA_RIVULET_USERS has the users");
        }
    }

    private static String[] words(String list) {
        return Pattern.compile("[,;\\s]+")
                .splitAsStream(list)
                .filter(word -> !word.isEmpty())
                .toArray(String[]::new);
    }
}
