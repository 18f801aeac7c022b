package io.rivulet.it.suites;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.test.JaasModule;
import org.apache.kafka.common.test.JaasUtils;

/** Translates the server properties of a test into those of one process of Rivulet. */
final class ServerProperties {
    /** Keys that place the servers of a cluster. The runner sets them itself. */
    private static final Pattern PLACES = Pattern.compile("(controller\\.|process\\.roles|inter\\.broker|metadata\\.log"
            + "|advertised\\.|listener|log\\.dir|node\\.id|broker\\.id|unstable\\.).*");

    /** Keys of TLS and SASL, which have no effect on a listener without them. Rivulet refuses them. */
    private static final Pattern SECURITY = Pattern.compile("(ssl|sasl)\\..*");

    private static final List<String> REPLICATION = List.of("default.replication.factor", "min.insync.replicas");

    private static final Pattern PORT = Pattern.compile(":([1-9][0-9]*)");

    /** Ports below those that Linux gives to clients: a stopped broker finds its port free again. */
    private static final int FIRST_PORT = 20_000;

    private static final int LAST_PORT = 32_000;

    private ServerProperties() {}

    static Map<String, String> of(Map<?, ?> wanted, int brokers) {
        Map<String, String> properties = new TreeMap<>();
        wanted.forEach((key, value) -> {
            String name = String.valueOf(key);
            if (value != null
                    && !PLACES.matcher(name).matches()
                    && !SECURITY.matcher(name).matches()) {
                properties.put(name, text(value));
            }
        });
        if (brokers > 1) {
            REPLICATION.forEach(key -> properties.replace(key, "1"));
        }
        // The tests know Kafka's default. Rivulet's is 0.
        properties.putIfAbsent("group.consumer.assignment.interval.ms", "1000");
        return properties;
    }

    /** Adds what one process on this machine needs. */
    static Map<String, String> placed(Map<String, String> properties, int port, Path directory, boolean clientsLogIn) {
        Map<String, String> all = new TreeMap<>(properties);
        all.put("listeners", "EXTERNAL://localhost:" + port);
        all.put("listener.security.protocol.map", clientsLogIn ? "EXTERNAL:SASL_PLAINTEXT" : "EXTERNAL:PLAINTEXT");
        if (clientsLogIn) {
            all.put("sasl.enabled.mechanisms", "PLAIN");
            all.put("listener.name.external.plain.sasl.jaas.config", usersOfTests());
        }
        all.put("node.id", "0");
        all.put("log.dirs", directory.toString());
        return all;
    }

    /** The users that Kafka's own cluster of a test has. */
    private static String usersOfTests() {
        JaasModule module = JaasModule.plainLoginModule(
                JaasUtils.KAFKA_PLAIN_ADMIN,
                JaasUtils.KAFKA_PLAIN_ADMIN_PASSWORD,
                true,
                Map.of(
                        JaasUtils.KAFKA_PLAIN_USER1, JaasUtils.KAFKA_PLAIN_USER1_PASSWORD,
                        JaasUtils.KAFKA_PLAIN_ADMIN, JaasUtils.KAFKA_PLAIN_ADMIN_PASSWORD));
        return module.toString();
    }

    /** The port that the test names, or a free one. */
    static int port(Map<?, ?> wanted) {
        Matcher named = PORT.matcher(String.valueOf(wanted.get("listeners")));
        return named.find() ? Integer.parseInt(named.group(1)) : freePort();
    }

    private static int freePort() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName("localhost"))) {
                return socket.getLocalPort();
            } catch (BindException e) {
                // Another process has it.
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static String text(Object value) {
        return value instanceof List<?> list
                ? String.join(",", list.stream().map(String::valueOf).toList())
                : value.toString();
    }
}
