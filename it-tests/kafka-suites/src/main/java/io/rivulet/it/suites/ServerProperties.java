package io.rivulet.it.suites;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.types.Password;

/** Translates the server properties of a test into those of one process of Rivulet. */
final class ServerProperties {
    /** Keys that place the servers of a cluster. The runner sets them itself. */
    private static final Pattern PLACES =
            Pattern.compile("(controller\\.(?!quota\\.)|process\\.roles|inter\\.broker|metadata\\.log"
                    + "|advertised\\.|listeners|listener\\.security|log\\.dir|node\\.id|broker\\.id|unstable\\.).*");

    /** Classes of the test, tokens, and choices of the JDK's engine. Rivulet refuses them. */
    private static final Pattern UNSERVED = Pattern.compile("(listener\\.name\\.[^.]+\\.)?(principal\\.builder\\.class"
            + "|delegation\\.token\\.secret\\.key|ssl\\.protocol|ssl\\.(key|trust)manager\\.algorithm"
            + "|sasl\\.mechanism\\.(inter|controller).*)");

    /** They have no effect where no listener has TLS, or logins. */
    private static final Pattern TLS = Pattern.compile("(listener\\.name\\.[^.]+\\.)?ssl\\..*");

    private static final Pattern LOGIN = Pattern.compile("(listener\\.name\\.[^.]+\\.)?([a-z0-9-]+\\.)?sasl\\..*");

    /** A test's class that says who has a certificate, as Kafka's rules that do the same. */
    private static final Map<String, String> AS_RULES = Map.of(
            "kafka.api.SslEndToEndAuthorizationTest$TestPrincipalBuilder",
            "RULE:^O=A (?:server,CN=.*|.*,CN=super-user)$/server/,DEFAULT");

    private static final List<String> REPLICATION = List.of("default.replication.factor", "min.insync.replicas");

    private ServerProperties() {}

    static Map<String, String> of(Map<?, ?> wanted, int brokers, Listeners listeners) {
        Map<String, String> properties = new TreeMap<>();
        wanted.forEach((key, value) -> {
            if (value != null && isPassedOn(String.valueOf(key), listeners)) {
                properties.put(String.valueOf(key), text(value));
            }
        });
        if (brokers > 1) {
            REPLICATION.forEach(key -> properties.replace(key, "1"));
        }
        String rules = AS_RULES.get(String.valueOf(wanted.get("principal.builder.class")));
        if (rules != null) {
            properties.put("ssl.principal.mapping.rules", rules);
        }
        // The tests know Kafka's defaults. Rivulet's are 0.
        properties.putIfAbsent("group.consumer.assignment.interval.ms", "1000");
        properties.putIfAbsent("group.share.assignment.interval.ms", "1000");
        return properties;
    }

    private static boolean isPassedOn(String key, Listeners listeners) {
        return !PLACES.matcher(key).matches()
                && !UNSERVED.matcher(key).matches()
                && (listeners.haveTls() || !TLS.matcher(key).matches())
                && (listeners.haveLogin() || !LOGIN.matcher(key).matches());
    }

    /** Adds what one process on this machine needs. */
    static Map<String, String> placed(Map<String, String> properties, Path directory) {
        Map<String, String> all = new TreeMap<>(properties);
        all.put("node.id", "0");
        all.put("log.dirs", directory.toString());
        return all;
    }

    private static String text(Object value) {
        if (value instanceof Password password) {
            return password.value();
        }
        return value instanceof List<?> list
                ? String.join(",", list.stream().map(String::valueOf).toList())
                : value.toString();
    }
}
