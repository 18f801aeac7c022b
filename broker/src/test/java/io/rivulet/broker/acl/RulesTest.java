package io.rivulet.broker.acl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.access.Principal;
import io.rivulet.broker.access.ResourceType;
import io.rivulet.broker.config.AccessSettings;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.store.Store;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

final class RulesTest {
    private static final long ROOMY = 1L << 30;
    private static final String ALICE = "User:alice";
    private static final String HOST = "10.0.0.1";

    private final Rules rules = new Rules(false, ROOMY);

    /** A log whose entries are in effect at once. */
    private static Store log(Rules rules) {
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    rules.apply(0, (ByteBuffer) arguments[1]);
                    return CompletableFuture.completedFuture(0);
                });
    }

    private static Rule allow(PatternType pattern, String name, String principal, Operation operation) {
        return new Rule(ResourceType.TOPIC, pattern, name, principal, Rule.ANY, operation, Effect.ALLOW);
    }

    private static Rule deny(PatternType pattern, String name, String principal, Operation operation) {
        return new Rule(ResourceType.TOPIC, pattern, name, principal, Rule.ANY, operation, Effect.DENY);
    }

    private static void add(Rules to, List<Rule> added) {
        Rules.parts(added).forEach(part -> to.add(log(to), part));
    }

    private static void remove(Rules from, List<Rule> removed) {
        Rules.parts(removed).forEach(part -> from.remove(log(from), part));
    }

    private static Access access(Rules rules, String principal) {
        return new Authorizer(new AccessSettings(true, Set.of("User:root"), false), rules)
                .of(Principal.user(principal), HOST);
    }

    private static List<Rule> many(int count) {
        List<Rule> many = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            many.add(allow(
                    i % 2 == 0 ? PatternType.LITERAL : PatternType.PREFIXED,
                    "topic-" + i,
                    "User:" + i % 1000,
                    Operation.READ));
        }
        return many;
    }

    @Test
    void aSnapshotHasAllRules() throws IOException {
        add(rules, many(5000));
        Rule ofHost = new Rule(
                ResourceType.GROUP,
                PatternType.PREFIXED,
                "g\u0000\n\ud83d\ude00",
                "User:CN=a:b,O=c;",
                HOST,
                Operation.TWO_PHASE_COMMIT,
                Effect.DENY);
        add(rules, List.of(ofHost));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        rules.snapshot().writeTo(Channels.newChannel(bytes));

        Rules loaded = new Rules(false, ROOMY);
        loaded.load(Channels.newChannel(new ByteArrayInputStream(bytes.toByteArray())));

        assertThat(loaded.list().matching(RuleFilter.ALL, Integer.MAX_VALUE))
                .isEqualTo(rules.list().matching(RuleFilter.ALL, Integer.MAX_VALUE))
                .hasSize(5001)
                .contains(ofHost);
        assertThat(loaded.now().bytes()).isEqualTo(rules.now().bytes());
    }

    @Test
    void whenAllRulesAreRemovedNothingIsLeft() {
        Rules counting = new Rules(true, ROOMY);
        List<Rule> many = many(5000);
        add(counting, many);
        assertThat(counting.now().bytes()).isPositive();

        remove(counting, many);

        assertThat(counting.now().size()).isZero();
        assertThat(counting.now().bytes()).isZero();
        assertThat(counting.now().principals()).isNull();
        assertThat(counting.now().named()).isEqualTo(NamedRules.NONE);
    }

    @Test
    void theSameEntryTwiceChangesNothing() {
        add(rules, many(10));
        RuleSet before = rules.now();

        add(rules, many(10));

        assertThat(rules.now()).isSameAs(before);
    }

    @Test
    void rulesBeyondTheLimitAreRefused() {
        Rules small = new Rules(false, 10_000);

        assertThatThrownBy(() -> add(small, many(1000)))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("10000 bytes of the heap");

        add(small, many(10));
        assertThat(small.size()).isEqualTo(10);
    }

    @Test
    void aPrincipalOf30000CharactersIsOneOfMany() {
        String principal = "User:" + "x".repeat(30_000);
        add(rules, List.of(allow(PatternType.PREFIXED, "a", principal, Operation.READ)));

        assertThat(access(rules, principal.substring(5)).mayTopic(Operation.READ, "abc"))
                .isTrue();
        assertThat(access(rules, principal.substring(6)).mayTopic(Operation.READ, "abc"))
                .isFalse();
        assertThat(rules.now().bytes()).isGreaterThan(60_000);
    }

    @Test
    void theEntriesOfLongRulesAreFarBelowALogGroup() {
        List<Rule> longOnes = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            longOnes.add(
                    allow(PatternType.LITERAL, i + "y".repeat(32_000), "User:" + "z".repeat(32_000), Operation.READ));
        }

        assertThat(Rules.parts(longOnes))
                .allSatisfy(part -> assertThat(RuleEntryLayout.entry(true, part).remaining())
                        .isLessThan(1 << 20));
        add(rules, longOnes);
        assertThat(rules.list().matching(RuleFilter.ALL, Integer.MAX_VALUE)).hasSize(100);
    }

    /**
     * First the rule that denies comes, then the one that allows; they go in the opposite order. So at no moment alice
     * may read.
     */
    @Test
    void threadsThatAskNeverSeeAStateThatWasNot() throws Exception {
        Rule deny = deny(PatternType.PREFIXED, "or", ALICE, Operation.READ);
        Rule allow = allow(PatternType.LITERAL, "orders", ALICE, Operation.ALL);
        Access access = access(rules, "alice");
        ExecutorService threads = Executors.newFixedThreadPool(100);
        List<Future<Integer>> answers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            answers.add(threads.submit(() -> {
                int wrong = 0;
                for (int question = 0; question < 1000; question++) {
                    wrong += access.sees(Operation.READ, ResourceType.TOPIC, "orders") ? 1 : 0;
                }
                return wrong;
            }));
        }
        threads.shutdown();
        for (int i = 0; !threads.isTerminated(); i++) {
            Rule other = allow(PatternType.LITERAL, "topic-" + i % 1000, ALICE, Operation.READ);
            for (Rule added : List.of(deny, allow, other)) {
                add(rules, List.of(added));
            }
            for (Rule removed : List.of(other, allow, deny)) {
                remove(rules, List.of(removed));
            }
        }

        for (Future<Integer> wrong : answers) {
            assertThat(wrong.get()).isZero();
        }
    }

    @Test
    void aChangeIsInEffectForConnectionsThatAreOpen() {
        Access access = access(rules, "alice");
        assertThat(access.mayTopic(Operation.WRITE, "orders")).isFalse();

        add(rules, List.of(allow(PatternType.LITERAL, Rule.ANY, ALICE, Operation.WRITE)));
        assertThat(access.mayTopic(Operation.WRITE, "orders")).isTrue();
        assertThat(access.mayTopic(Operation.DESCRIBE, "orders")).isTrue();

        add(rules, List.of(deny(PatternType.PREFIXED, "ord", Rule.ANY_PRINCIPAL, Operation.WRITE)));
        assertThat(access.mayTopic(Operation.WRITE, "orders")).isFalse();
        assertThat(access.mayTopic(Operation.WRITE, "others")).isTrue();
        assertThat(access.mayTopic(Operation.DESCRIBE, "orders")).isTrue();
    }

    @Test
    void superUsersMayDoEverything() {
        add(rules, List.of(deny(PatternType.LITERAL, Rule.ANY, "User:root", Operation.ALL)));

        assertThat(access(rules, "root").isUnlimited()).isTrue();
        assertThat(access(rules, "root").mayTopic(Operation.WRITE, "orders")).isTrue();
        assertThat(access(rules, "rooty").isUnlimited()).isFalse();
    }

    /** In Kafka, each request of such a user fails. */
    @Test
    void aUserWithTheNameOfAllIsOneOfThem() {
        add(rules, List.of(allow(PatternType.LITERAL, "orders", Rule.ANY_PRINCIPAL, Operation.READ)));

        assertThat(access(rules, "*").mayTopic(Operation.READ, "orders")).isTrue();
        assertThat(access(rules, "*").mayTopic(Operation.WRITE, "orders")).isFalse();
    }

    @Test
    void decisionsAboutLongNamesAreRightThoughTheyAreNotKept() {
        String name = "g".repeat(30_000);
        add(
                rules,
                List.of(new Rule(
                        ResourceType.GROUP, PatternType.PREFIXED, "gg", ALICE, HOST, Operation.READ, Effect.ALLOW)));

        assertThat(access(rules, "alice").mayGroup(Operation.READ, name)).isTrue();
        assertThat(access(rules, "alice").mayGroup(Operation.READ, "g")).isFalse();
    }
}
