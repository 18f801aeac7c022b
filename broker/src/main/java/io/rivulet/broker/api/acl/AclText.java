package io.rivulet.broker.api.acl;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.access.ResourceType;
import io.rivulet.broker.acl.Effect;
import io.rivulet.broker.acl.PatternType;
import io.rivulet.broker.acl.Rule;
import io.rivulet.broker.acl.RuleFilter;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.protocol.message.CreateAclsRequest.AclCreation;
import io.rivulet.protocol.message.DeleteAclsRequest.DeleteAclsFilter;
import io.rivulet.protocol.message.DescribeAclsRequest;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads rules and filters from requests, with Kafka's checks. Stateless. */
final class AclText {
    static final String NOT_ALLOWED = "the client may not do that with the cluster";

    private AclText() {}

    /** @throws RefusedException if it is not a rule */
    static Rule rule(AclCreation creation) {
        ResourceType type =
                require(ResourceType.ofCode(creation.resourceType()), "resource type", creation.resourceType());
        PatternType pattern = require(
                PatternType.ofCode(creation.resourcePatternType()), "pattern type", creation.resourcePatternType());
        Operation operation = require(Operation.ofCode(creation.operation()), "operation", creation.operation());
        Effect effect = require(Effect.ofCode(creation.permissionType()), "permission type", creation.permissionType());
        refuseIf(type == ResourceType.ANY, "a rule is for one type of resource");
        refuseIf(
                pattern == PatternType.ANY || pattern == PatternType.MATCH,
                "the pattern of a rule is literal or prefixed");
        refuseIf(operation == Operation.ANY, "a rule is for one operation, or for all");
        refuseIf(effect == Effect.ANY, "a rule allows or denies");
        String name = creation.resourceName();
        refuseIf(name.isEmpty(), "the name of the resource is empty");
        refuseIf(
                type == ResourceType.CLUSTER && !name.equals(Access.CLUSTER_NAME),
                "the only name of a cluster is " + Access.CLUSTER_NAME);
        refuseIf(!creation.principal().contains(":"), "a principal has the form type:name");
        requireStorable(name);
        requireStorable(creation.principal());
        requireStorable(creation.host());
        return new Rule(type, pattern, name, creation.principal(), creation.host(), operation, effect);
    }

    /** Bytes of a request that are no UTF-8 become longer when they are written. */
    private static void requireStorable(String text) {
        refuseIf(
                text.length() > Short.MAX_VALUE / 3 && text.getBytes(StandardCharsets.UTF_8).length > Short.MAX_VALUE,
                "a name has more than " + Short.MAX_VALUE + " bytes");
    }

    private static void refuseIf(boolean wrong, String reason) {
        if (wrong) {
            throw new RefusedException(ErrorCode.INVALID_REQUEST, reason);
        }
    }

    private static <T> T require(@Nullable T known, String what, byte code) {
        if (known == null) {
            throw new RefusedException(ErrorCode.INVALID_REQUEST, "unknown " + what + " " + code);
        }
        return known;
    }

    /** @throws RefusedException if something in it is unknown */
    static RuleFilter filter(DescribeAclsRequest asked) {
        return filter(
                asked.resourceTypeFilter(),
                asked.patternTypeFilter(),
                asked.resourceNameFilter(),
                asked.principalFilter(),
                asked.hostFilter(),
                asked.operation(),
                asked.permissionType());
    }

    /** @throws RefusedException if something in it is unknown */
    static RuleFilter filter(DeleteAclsFilter asked) {
        return filter(
                asked.resourceTypeFilter(),
                asked.patternTypeFilter(),
                asked.resourceNameFilter(),
                asked.principalFilter(),
                asked.hostFilter(),
                asked.operation(),
                asked.permissionType());
    }

    private static RuleFilter filter(
            byte type,
            byte pattern,
            @Nullable String name,
            @Nullable String principal,
            @Nullable String host,
            byte operation,
            byte permission) {
        return new RuleFilter(
                require(ResourceType.ofCode(type), "resource type", type),
                require(PatternType.ofCode(pattern), "pattern type", pattern),
                name,
                principal,
                host,
                require(Operation.ofCode(operation), "operation", operation),
                require(Effect.ofCode(permission), "permission type", permission));
    }
}
