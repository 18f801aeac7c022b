package io.rivulet.it.acl;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourcePatternFilter;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.metadata.authorizer.StandardAcl;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;
import org.apache.kafka.server.authorizer.Action;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;
import org.apache.kafka.server.authorizer.AuthorizationResult;

/**
 * Kafka's own authorizer. {@link Oracle} loads this class with Kafka's libraries, so it has only types of the JDK in
 * its methods. A rule is its resource type, pattern, name, principal, host, operation and permission, as texts.
 */
public final class KafkasAuthorizer {
    private final StandardAuthorizer authorizer = new StandardAuthorizer();
    private final Map<List<String>, Uuid> ids = new HashMap<>();

    public KafkasAuthorizer(String superUsers, boolean allowsWithoutRule) throws ReflectiveOperationException {
        authorizer.configure(
                Map.of("super.users", superUsers, "allow.everyone.if.no.acl.found", String.valueOf(allowsWithoutRule)));
        authorizer.withPluginMetrics(Class.forName("org.apache.kafka.common.metrics.internals.PluginMetricsImpl")
                .asSubclass(PluginMetrics.class)
                .getConstructor(Metrics.class, Map.class)
                .newInstance(new Metrics(), Map.of()));
        authorizer.completeInitialLoad();
    }

    public void add(List<String> rule) {
        Uuid id = Uuid.randomUuid();
        ids.put(rule, id);
        authorizer.addAcl(
                id,
                new StandardAcl(
                        ResourceType.valueOf(rule.get(0)),
                        rule.get(2),
                        PatternType.valueOf(rule.get(1)),
                        rule.get(3),
                        rule.get(4),
                        AclOperation.valueOf(rule.get(5)),
                        AclPermissionType.valueOf(rule.get(6))));
    }

    public void remove(List<String> rule) {
        authorizer.removeAcl(ids.remove(rule));
    }

    public boolean may(String principal, String host, String operation, String type, String name)
            throws UnknownHostException {
        Action action = new Action(
                AclOperation.valueOf(operation),
                new ResourcePattern(ResourceType.valueOf(type), name, PatternType.LITERAL),
                1,
                false,
                false);
        return authorizer.authorize(context(principal, host), List.of(action)).get(0) == AuthorizationResult.ALLOWED;
    }

    public boolean mayWithAny(String principal, String host, String operation, String type)
            throws UnknownHostException {
        return authorizer.authorizeByResourceType(
                        context(principal, host), AclOperation.valueOf(operation), ResourceType.valueOf(type))
                == AuthorizationResult.ALLOWED;
    }

    /** The rules that the filter matches. Its name, principal and host may be null. */
    public List<List<String>> rules(List<String> filter) {
        AclBindingFilter asked = new AclBindingFilter(
                new ResourcePatternFilter(
                        ResourceType.valueOf(filter.get(0)), filter.get(2), PatternType.valueOf(filter.get(1))),
                new AccessControlEntryFilter(
                        filter.get(3),
                        filter.get(4),
                        AclOperation.valueOf(filter.get(5)),
                        AclPermissionType.valueOf(filter.get(6))));
        List<List<String>> found = new ArrayList<>();
        for (AclBinding rule : authorizer.acls(asked)) {
            found.add(List.of(
                    rule.pattern().resourceType().name(),
                    rule.pattern().patternType().name(),
                    rule.pattern().name(),
                    rule.entry().principal(),
                    rule.entry().host(),
                    rule.entry().operation().name(),
                    rule.entry().permissionType().name()));
        }
        return found;
    }

    private static AuthorizableRequestContext context(String principal, String host) throws UnknownHostException {
        int colon = principal.indexOf(':');
        KafkaPrincipal known = new KafkaPrincipal(principal.substring(0, colon), principal.substring(colon + 1));
        InetAddress address = InetAddress.getByName(host);
        return new AuthorizableRequestContext() {
            @Override
            public String listenerName() {
                return "listener";
            }

            @Override
            public SecurityProtocol securityProtocol() {
                return SecurityProtocol.PLAINTEXT;
            }

            @Override
            public KafkaPrincipal principal() {
                return known;
            }

            @Override
            public InetAddress clientAddress() {
                return address;
            }

            @Override
            public int requestType() {
                return 0;
            }

            @Override
            public int requestVersion() {
                return 0;
            }

            @Override
            public String clientId() {
                return "client";
            }

            @Override
            public int correlationId() {
                return 0;
            }
        };
    }
}
