package io.rivulet.it.acl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.it.Clients;
import io.rivulet.it.SeveralBrokers;
import io.rivulet.it.TestBroker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DeleteAclsResult.FilterResults;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.SecurityDisabledException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourcePatternFilter;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rules of access, with Kafka's own admin client. */
@SeveralBrokers
final class AclsIT {
    private static final Map<String, String> AUTHORIZER =
            Map.of("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");

    @TempDir
    private Path directory;

    private TestBroker broker;
    private Admin admin;

    @BeforeEach
    void start() throws IOException {
        start("User:ANONYMOUS");
    }

    private void start(String superUsers) throws IOException {
        open(Map.of("authorizer.class.name", AUTHORIZER.get("authorizer.class.name"), "super.users", superUsers));
    }

    private void open(Map<String, String> properties) throws IOException {
        broker = TestBroker.start(directory, properties);
        admin = Clients.admin(broker);
    }

    @AfterEach
    void stop() throws IOException {
        admin.close();
        broker.close();
    }

    private static AclBinding allow(PatternType pattern, String topic, String principal) {
        return new AclBinding(
                new ResourcePattern(ResourceType.TOPIC, topic, pattern),
                new AccessControlEntry(principal, "*", AclOperation.READ, AclPermissionType.ALLOW));
    }

    private static List<AclBinding> many(int count) {
        List<AclBinding> many = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            many.add(allow(PatternType.LITERAL, "topic-" + i, "User:" + i % 100));
        }
        return many;
    }

    private Collection<AclBinding> list(AclBindingFilter filter) throws Exception {
        return admin.describeAcls(filter).values().get();
    }

    private static void assertRefused(KafkaFuture<?> future, Class<? extends Exception> because) {
        assertThatThrownBy(future::get).hasCauseInstanceOf(because);
    }

    @Test
    void aRuleIsCreatedListedKeptAndDeleted() throws Exception {
        AclBinding literal = allow(PatternType.LITERAL, "orders", "User:alice");
        AclBinding prefixed =
                allow(PatternType.PREFIXED, "or\u0000\n\u00e4\ud83d\ude00", "User:CN=a,O=b;c:d \"e\" \\f");
        AclBinding ofHost = new AclBinding(
                new ResourcePattern(ResourceType.USER, "User:x", PatternType.LITERAL),
                new AccessControlEntry("User:*", "10.0.0.1", AclOperation.CREATE_TOKENS, AclPermissionType.DENY));
        admin.createAcls(List.of(literal, prefixed, ofHost, literal)).all().get();
        admin.createAcls(List.of(literal)).all().get();

        assertThat(list(AclBindingFilter.ANY)).containsExactlyInAnyOrder(literal, prefixed, ofHost);
        stop();
        start();
        assertThat(list(AclBindingFilter.ANY)).containsExactlyInAnyOrder(literal, prefixed, ofHost);

        AclBindingFilter ofTopics = new AclBindingFilter(
                new ResourcePatternFilter(ResourceType.TOPIC, null, PatternType.ANY), AccessControlEntryFilter.ANY);
        Map<AclBindingFilter, KafkaFuture<FilterResults>> deleted =
                admin.deleteAcls(List.of(ofTopics, literal.toFilter())).values();

        assertThat(deleted.get(ofTopics).get().values())
                .extracting(result -> result.binding())
                .containsExactlyInAnyOrder(literal, prefixed);
        assertThat(deleted.get(literal.toFilter()).get().values()).hasSize(1);
        assertThat(list(AclBindingFilter.ANY)).containsExactly(ofHost);
        stop();
        start();
        assertThat(list(AclBindingFilter.ANY)).containsExactly(ofHost);
    }

    @Test
    void aFilterMayAskForWhatIsForAName() throws Exception {
        AclBinding all = allow(PatternType.LITERAL, "*", "User:a");
        AclBinding prefix = allow(PatternType.PREFIXED, "or", "User:b");
        AclBinding same = allow(PatternType.LITERAL, "orders", "User:c");
        AclBinding other = allow(PatternType.LITERAL, "or", "User:d");
        admin.createAcls(List.of(all, prefix, same, other)).all().get();

        assertThat(list(new AclBindingFilter(
                        new ResourcePatternFilter(ResourceType.TOPIC, "orders", PatternType.MATCH),
                        AccessControlEntryFilter.ANY)))
                .containsExactlyInAnyOrder(all, prefix, same);
        assertThat(list(new AclBindingFilter(
                        new ResourcePatternFilter(ResourceType.ANY, "or", PatternType.ANY),
                        AccessControlEntryFilter.ANY)))
                .containsExactlyInAnyOrder(prefix, other);
    }

    @Test
    void whatIsNoRuleIsRefused() throws Exception {
        AclBinding noPrincipal = allow(PatternType.LITERAL, "orders", "alice");
        AclBinding otherCluster = new AclBinding(
                new ResourcePattern(ResourceType.CLUSTER, "mine", PatternType.LITERAL),
                new AccessControlEntry("User:a", "*", AclOperation.ALTER, AclPermissionType.ALLOW));
        AclBinding noName = allow(PatternType.LITERAL, "", "User:a");
        AclBinding good = allow(PatternType.LITERAL, "orders", "User:alice");

        Map<AclBinding, KafkaFuture<Void>> results = admin.createAcls(List.of(noPrincipal, otherCluster, noName, good))
                .values();

        assertRefused(results.get(noPrincipal), InvalidRequestException.class);
        assertRefused(results.get(otherCluster), InvalidRequestException.class);
        assertRefused(results.get(noName), InvalidRequestException.class);
        results.get(good).get();
        assertThat(list(AclBindingFilter.ANY)).containsExactly(good);
    }

    @Test
    void whoMayNotAlterTheClusterHasNoRules() throws Exception {
        AclBinding mine = new AclBinding(
                new ResourcePattern(ResourceType.CLUSTER, "kafka-cluster", PatternType.LITERAL),
                new AccessControlEntry("User:ANONYMOUS", "127.0.0.1", AclOperation.DESCRIBE, AclPermissionType.ALLOW));
        admin.createAcls(List.of(mine)).all().get();
        stop();
        start("User:other");

        assertThat(list(AclBindingFilter.ANY)).containsExactly(mine);
        assertRefused(admin.createAcls(List.of(mine)).all(), ClusterAuthorizationException.class);
        assertRefused(admin.deleteAcls(List.of(AclBindingFilter.ANY)).all(), ClusterAuthorizationException.class);
        assertThat(list(AclBindingFilter.ANY)).containsExactly(mine);
    }

    @Test
    void withoutAnAuthorizerRulesAreKeptButNotShown() throws Exception {
        AclBinding rule = allow(PatternType.LITERAL, "orders", "User:alice");
        admin.createAcls(List.of(rule)).all().get();
        stop();
        open(Map.of());
        assertRefused(admin.describeAcls(AclBindingFilter.ANY).values(), SecurityDisabledException.class);
        stop();
        start();

        assertThat(list(AclBindingFilter.ANY)).containsExactly(rule);
    }

    @Test
    void manyRulesAreCreatedListedAndDeletedAtOnce() throws Exception {
        List<AclBinding> many = many(20_000);
        admin.createAcls(many).all().get();
        assertThat(list(AclBindingFilter.ANY)).hasSize(many.size());
        stop();
        start();
        assertThat(list(AclBindingFilter.ANY)).hasSize(many.size());

        assertThat(admin.deleteAcls(List.of(AclBindingFilter.ANY)).all().get()).hasSize(many.size());

        assertThat(list(AclBindingFilter.ANY)).isEmpty();
    }

    /** Each filter would list all rules again. */
    @Test
    void filtersThatMatchTheSameRulesTooOftenAreRefused() throws Exception {
        admin.createAcls(many(5000)).all().get();
        List<AclBindingFilter> filters = new ArrayList<>();
        for (AclOperation operation : List.of(AclOperation.ANY, AclOperation.READ)) {
            for (ResourceType type : List.of(ResourceType.ANY, ResourceType.TOPIC)) {
                filters.add(new AclBindingFilter(
                        new ResourcePatternFilter(type, null, PatternType.ANY),
                        new AccessControlEntryFilter(null, null, operation, AclPermissionType.ANY)));
            }
        }

        Map<AclBindingFilter, KafkaFuture<FilterResults>> deleted =
                admin.deleteAcls(filters).values();

        assertThat(deleted.get(filters.get(0)).get().values()).hasSize(5000);
        assertThat(deleted.get(filters.get(2)).get().values()).hasSize(5000);
        assertRefused(deleted.get(filters.get(3)), InvalidRequestException.class);
        assertThat(list(AclBindingFilter.ANY)).isEmpty();
    }

    @Test
    void rulesBeyondTheLimitOfTheHeapAreRefusedAndTheBrokerGoesOn() throws Exception {
        assertThatThrownBy(() -> {
                    for (int request = 0; request < 100; request++) {
                        List<AclBinding> longOnes = new ArrayList<>();
                        for (int i = 0; i < 100; i++) {
                            longOnes.add(
                                    allow(PatternType.LITERAL, request + "-" + i + "y".repeat(30_000), "User:" + i));
                        }
                        admin.createAcls(longOnes).all().get();
                    }
                })
                .hasCauseInstanceOf(PolicyViolationException.class)
                .hasMessageContaining("bytes of the heap");
        assertThat(list(AclBindingFilter.ANY)).hasSizeBetween(50, 5000);
        admin.deleteAcls(List.of(AclBindingFilter.ANY)).all().get();
        admin.createAcls(many(1)).all().get();
        assertThat(list(AclBindingFilter.ANY)).hasSize(1);
    }
}
