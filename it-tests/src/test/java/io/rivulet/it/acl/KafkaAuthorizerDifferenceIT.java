package io.rivulet.it.acl;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.access.Principal;
import io.rivulet.broker.access.ResourceType;
import io.rivulet.broker.acl.Authorizer;
import io.rivulet.broker.acl.Effect;
import io.rivulet.broker.acl.PatternType;
import io.rivulet.broker.acl.Rule;
import io.rivulet.broker.acl.RuleFilter;
import io.rivulet.broker.acl.Rules;
import io.rivulet.broker.config.AccessSettings;
import io.rivulet.store.Store;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The same rules and questions for Kafka's own authorizer and for this one: decisions, decisions about any resource of
 * a type, and lists of rules. Rules come and go, and connections stay, so decisions that were kept are compared too.
 *
 * <p>The number of questions is the property {@code rivulet.acl.cases}, the seed {@code rivulet.acl.seed}.
 */
final class KafkaAuthorizerDifferenceIT {
    private static final int CASES = Integer.getInteger("rivulet.acl.cases", 20_000);
    private static final long SEED = Long.getLong("rivulet.acl.seed", System.nanoTime());
    private static final int MOST_RULES = 40;
    private static final String SUPER_USERS = "User:root; User:CN=root,O=all";

    private static final List<String> PRINCIPALS =
            List.of("User:a", "User:a", "User:b", "User:root", "User:CN=root,O=all", "Role:a");
    private static final List<String> OF_RULES = List.of("User:a", "User:a", "User:b", "User:*", "Role:a", "Role:*");
    private static final List<String> HOSTS = List.of("10.0.0.1", "10.0.0.2", "0:0:0:0:0:0:0:1");
    private static final List<String> HOSTS_OF_RULES =
            List.of("*", "*", "*", "10.0.0.1", "10.0.0.2", "localhost", "::1");
    private static final List<String> NAMES = List.of("*", "*", "*", "*", "h", "hard", "hardcode", "**", "*a", "!");

    private static final List<ResourceType> TYPES =
            EnumSet.complementOf(EnumSet.of(ResourceType.ANY)).stream().toList();
    private static final List<Operation> OPERATIONS =
            EnumSet.complementOf(EnumSet.of(Operation.ANY)).stream().toList();

    private final Random random = new Random(SEED);

    /** Both authorizers, with the same rules. */
    private static final class Pair {
        final Oracle kafka;
        final Rules rules;
        final Authorizer authorizer;
        final List<Rule> present = new ArrayList<>();
        final Map<List<String>, Access> connections = new HashMap<>();
        private final Store log;

        Pair(boolean allowsWithoutRule) {
            AccessSettings settings =
                    new AccessSettings(true, Set.of("User:root", "User:CN=root,O=all"), allowsWithoutRule);
            kafka = new Oracle(SUPER_USERS, allowsWithoutRule);
            rules = new Rules(settings);
            authorizer = new Authorizer(settings, rules);
            log = (Store) Proxy.newProxyInstance(
                    Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                        rules.apply(0, (ByteBuffer) arguments[1]);
                        return CompletableFuture.completedFuture(0);
                    });
        }

        void add(Rule rule) {
            if (rules.list().has(rule)) {
                return;
            }
            present.add(rule);
            kafka.change("add", words(rule));
            rules.add(log, List.of(rule));
        }

        void remove(int index) {
            Rule rule = present.remove(index);
            kafka.change("remove", words(rule));
            rules.remove(log, List.of(rule));
        }

        Access access(String principal, String host) {
            return connections.computeIfAbsent(List.of(principal, host), who -> {
                int colon = principal.indexOf(':');
                return authorizer.of(
                        new Principal(principal.substring(0, colon), principal.substring(colon + 1)), host);
            });
        }
    }

    private static List<String> words(Rule rule) {
        return List.of(
                rule.type().name(),
                rule.pattern().name(),
                rule.name(),
                rule.principal(),
                rule.host(),
                rule.operation().name(),
                rule.effect().name());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void bothDecideAlike(boolean allowsWithoutRule) {
        Pair pair = new Pair(allowsWithoutRule);
        for (int i = 0; i < CASES; i++) {
            change(pair);
            if (random.nextInt(50) == 0) {
                pair.connections.clear();
            }
            ask(pair);
            if (i % 5 == 0) {
                askForAny(pair);
                list(pair);
            }
        }
    }

    /** Mostly few rules, sometimes none, sometimes many. */
    private void change(Pair pair) {
        if (random.nextInt(200) == 0) {
            while (!pair.present.isEmpty()) {
                pair.remove(0);
            }
        } else if (random.nextInt(3) == 0) {
            pair.add(rule());
        }
        if (pair.present.size() > random.nextInt(MOST_RULES)) {
            pair.remove(random.nextInt(pair.present.size()));
        }
    }

    private void ask(Pair pair) {
        String principal = one(PRINCIPALS);
        String host = one(HOSTS);
        Operation operation = operationAsked(pair);
        ResourceType type = type();
        String name = nameAsked(pair);

        boolean kafkas = pair.kafka.decide("may", principal, host, operation.name(), type.name(), name);
        boolean ours = pair.access(principal, host).may(operation, type, name);
        boolean seen = pair.access(principal, host).sees(operation, type, name);

        assertThat(List.of(ours, seen))
                .as(
                        "seed %d: may %s at %s %s %s %s with %s",
                        SEED, principal, host, operation, type, name, pair.present)
                .containsOnly(kafkas);
    }

    private void askForAny(Pair pair) {
        String principal = one(PRINCIPALS);
        String host = one(HOSTS);
        Operation operation = operation();
        ResourceType type = type();

        boolean kafkas = pair.kafka.decide("mayWithAny", principal, host, operation.name(), type.name());

        assertThat(pair.access(principal, host).mayWithAny(operation, type))
                .as("seed %d: may %s at %s %s any %s with %s", SEED, principal, host, operation, type, pair.present)
                .isEqualTo(kafkas);
    }

    private void list(Pair pair) {
        RuleFilter filter = new RuleFilter(
                random.nextBoolean() ? ResourceType.ANY : type(),
                one(List.of(PatternType.values())),
                random.nextBoolean() ? null : name(),
                random.nextBoolean() ? null : one(OF_RULES),
                random.nextBoolean() ? null : one(HOSTS_OF_RULES),
                random.nextBoolean() ? Operation.ANY : operation(),
                one(List.of(Effect.values())));

        List<List<String>> kafkas = pair.kafka.rules(Arrays.asList(
                filter.type().name(),
                filter.pattern().name(),
                filter.name(),
                filter.principal(),
                filter.host(),
                filter.operation().name(),
                filter.effect().name()));

        assertThat(pair.rules.list().matching(filter, Integer.MAX_VALUE))
                .as("seed %d: %s of %s", SEED, filter, pair.present)
                .extracting(KafkaAuthorizerDifferenceIT::words)
                .containsExactlyInAnyOrderElementsOf(kafkas);
    }

    /** Mostly one that a rule may be for. */
    private String nameAsked(Pair pair) {
        if (pair.present.isEmpty() || random.nextInt(3) == 0) {
            return random.nextInt(10) == 0 ? "" : name();
        }
        String known = one(pair.present).name();
        return random.nextBoolean() ? known : known + name();
    }

    private Operation operationAsked(Pair pair) {
        return pair.present.isEmpty() || random.nextInt(3) == 0
                ? operation()
                : one(pair.present).operation();
    }

    private Rule rule() {
        return new Rule(
                type(),
                random.nextBoolean() ? PatternType.LITERAL : PatternType.PREFIXED,
                name(),
                one(OF_RULES),
                one(HOSTS_OF_RULES),
                operation(),
                random.nextInt(3) == 0 ? Effect.DENY : Effect.ALLOW);
    }

    /** Few types, so that rules meet. */
    private ResourceType type() {
        return random.nextInt(10) == 0 ? one(TYPES) : ResourceType.TOPIC;
    }

    private Operation operation() {
        return random.nextInt(4) == 0
                ? one(OPERATIONS)
                : one(List.of(
                        Operation.ALL,
                        Operation.READ,
                        Operation.WRITE,
                        Operation.DESCRIBE,
                        Operation.DESCRIBE_CONFIGS,
                        Operation.ALTER_CONFIGS));
    }

    private String name() {
        if (random.nextInt(3) == 0) {
            return one(NAMES);
        }
        StringBuilder name = new StringBuilder();
        for (int left = 1 + random.nextInt(3); left > 0; left--) {
            name.append(one(List.of("a", "a", "b", "b", "\u00e4", "\ud83d\ude00")));
        }
        return name.toString();
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }
}
