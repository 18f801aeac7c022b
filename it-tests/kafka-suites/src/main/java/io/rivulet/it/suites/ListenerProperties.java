package io.rivulet.it.suites;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.common.test.JaasModule;
import org.apache.kafka.common.test.JaasUtils;
import org.jspecify.annotations.Nullable;

/**
 * How a process of Rivulet gets the listeners of a test. One where a class of the test says who clients are has a
 * {@link PrincipalProxy} before it. If there are rules or logins, a listener of the runner is added, whose user may do
 * everything. Immutable.
 */
final class ListenerProperties {
    private static final String RUNNER = "RUNNER";
    private static final String USER = "runner";
    private static final String AUTHORIZER = "authorizer.class.name";
    private static final String STANDARD_AUTHORIZER = "org.apache.kafka.metadata.authorizer.StandardAuthorizer";
    private static final String SUPER_USERS = "super.users";

    /**
     * A listener of the process.
     *
     * @param port where it listens
     * @param principals who its clients are; null if Rivulet knows
     */
    private record Placed(
            Listeners.Listener listener, int port, @Nullable TestPrincipals principals) {
        String at(int where) {
            return listener.name() + "://localhost:" + where;
        }

        SecurityProtocol protocol() {
            return principals == null ? listener.protocol() : SecurityProtocol.SASL_PLAINTEXT;
        }
    }

    private final List<Placed> placed;
    private final boolean hasRules;
    private final String typeOfPrincipals;
    private final Listeners.@Nullable Listener runner;

    private ListenerProperties(List<Placed> placed, boolean hasRules, Listeners.@Nullable Listener runner) {
        this.placed = placed;
        this.hasRules = hasRules;
        this.runner = runner;
        this.typeOfPrincipals = placed.stream()
                .flatMap(one -> one.principals() == null
                        ? Stream.empty()
                        : Stream.of(one.principals().principal(one.listener().name())))
                .map(principal -> principal.getPrincipalType())
                .findFirst()
                .orElse("User");
    }

    static ListenerProperties of(Map<?, ?> wanted, Listeners listeners) {
        List<Placed> placed = listeners.all().stream()
                .map(listener -> placed(listener, TestPrincipals.of(wanted, listener)))
                .toList();
        Object authorizer = wanted.get(AUTHORIZER);
        boolean hasRules = authorizer != null && !authorizer.toString().isBlank();
        boolean isOpen = placed.stream().allMatch(one -> one.protocol() == SecurityProtocol.PLAINTEXT);
        boolean needsRunner = hasRules || !isOpen;
        return new ListenerProperties(
                placed,
                hasRules,
                needsRunner
                        ? new Listeners.Listener(RUNNER, SecurityProtocol.SASL_PLAINTEXT, Listeners.freePort())
                        : null);
    }

    private static Placed placed(Listeners.Listener listener, @Nullable TestPrincipals principals) {
        return new Placed(listener, principals == null ? listener.port() : Listeners.freePort(), principals);
    }

    boolean hasRules() {
        return hasRules;
    }

    String typeOfPrincipals() {
        return typeOfPrincipals;
    }

    /** What a client of the runner needs. */
    Map<String, Object> client() {
        if (runner == null) {
            return Map.of(
                    "bootstrap.servers", placed.get(0).at(placed.get(0).port()).replaceFirst(".*//", ""));
        }
        return Map.of(
                "bootstrap.servers",
                "localhost:" + runner.port(),
                "security.protocol",
                "SASL_PLAINTEXT",
                "sasl.mechanism",
                "PLAIN",
                "sasl.jaas.config",
                JaasModule.plainLoginModule(USER, PrincipalProxy.PASSWORD, false, Map.of())
                        .toString());
    }

    List<PrincipalProxy> startProxies() {
        return placed.stream()
                .flatMap(one -> {
                    TestPrincipals principals = one.principals();
                    return principals == null
                            ? Stream.empty()
                            : Stream.of(new PrincipalProxy(
                                    one.listener().name(), one.listener().port(), one.port(), principals));
                })
                .toList();
    }

    /** Adds the listeners to the properties of the test. */
    Map<String, String> added(Map<String, String> properties) {
        Map<String, String> all = new TreeMap<>(properties);
        Map<String, String> protocols = new LinkedHashMap<>();
        Map<String, String> here = new LinkedHashMap<>();
        Map<String, String> advertised = new LinkedHashMap<>();
        for (Placed one : placed) {
            String name = one.listener().name();
            protocols.put(name, name + ":" + one.protocol());
            here.put(name, one.at(one.port()));
            advertised.put(name, one.at(one.listener().port()));
            TestPrincipals principals = one.principals();
            if (principals != null) {
                logins(all, one.listener(), principals.names());
            }
        }
        if (runner != null) {
            protocols.put(RUNNER, RUNNER + ":" + runner.protocol());
            here.put(RUNNER, RUNNER + "://localhost:" + runner.port());
            advertised.put(RUNNER, RUNNER + "://localhost:" + runner.port());
            logins(all, runner, Set.of(USER));
        }
        all.put("listener.security.protocol.map", String.join(",", protocols.values()));
        all.put("listeners", String.join(",", here.values()));
        all.put("advertised.listeners", String.join(",", advertised.values()));
        if (hasRules) {
            rules(all);
        }
        return all;
    }

    private static void logins(Map<String, String> all, Listeners.Listener listener, Set<String> users) {
        Map<String, String> passwords = new TreeMap<>();
        new TreeSet<>(users).forEach(user -> passwords.put(user, PrincipalProxy.PASSWORD));
        all.put(listener.key("sasl.enabled.mechanisms"), "PLAIN");
        all.put(
                listener.key("plain.sasl.jaas.config"),
                JaasModule.plainLoginModule(USER, PrincipalProxy.PASSWORD, false, passwords)
                        .toString());
    }

    /** The authorizers that tests bring allow what Kafka's own allows with the same rules, as far as the tests see. */
    private void rules(Map<String, String> all) {
        all.put(AUTHORIZER, STANDARD_AUTHORIZER);
        String users = all.getOrDefault(SUPER_USERS, "").replace(typeOfPrincipals + ":", "User:");
        all.put(SUPER_USERS, users.isBlank() ? "User:" + USER : users + ";User:" + USER);
    }

    /** The users that Kafka's own cluster of a test with {@code @ClusterTest} has, and its rules. */
    static Map<String, String> ofClusterTests(Listeners listeners) {
        if (!listeners.haveLogin()) {
            return Map.of();
        }
        Map<String, String> properties = new TreeMap<>();
        properties.put("sasl.enabled.mechanisms", "PLAIN");
        properties.put(AUTHORIZER, STANDARD_AUTHORIZER);
        properties.put(SUPER_USERS, "User:" + JaasUtils.KAFKA_PLAIN_ADMIN);
        JaasModule module = JaasModule.plainLoginModule(
                JaasUtils.KAFKA_PLAIN_ADMIN,
                JaasUtils.KAFKA_PLAIN_ADMIN_PASSWORD,
                true,
                Map.of(
                        JaasUtils.KAFKA_PLAIN_USER1, JaasUtils.KAFKA_PLAIN_USER1_PASSWORD,
                        JaasUtils.KAFKA_PLAIN_ADMIN, JaasUtils.KAFKA_PLAIN_ADMIN_PASSWORD));
        listeners.all().forEach(one -> properties.put(one.key("plain.sasl.jaas.config"), module.toString()));
        return properties;
    }
}
