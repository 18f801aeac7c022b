package io.rivulet.broker.tool;

import io.rivulet.broker.access.Operation;
import io.rivulet.broker.access.ResourceType;
import io.rivulet.broker.acl.Effect;
import io.rivulet.broker.acl.PatternType;
import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.ClientException;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.CreateAclsRequest;
import io.rivulet.protocol.message.CreateAclsRequest.AclCreation;
import io.rivulet.protocol.message.CreateAclsResponse;
import io.rivulet.protocol.message.DeleteAclsRequest;
import io.rivulet.protocol.message.DeleteAclsRequest.DeleteAclsFilter;
import io.rivulet.protocol.message.DeleteAclsResponse;
import io.rivulet.protocol.message.DeleteAclsResponse.DeleteAclsMatchingAcl;
import io.rivulet.protocol.message.DescribeAclsRequest;
import io.rivulet.protocol.message.DescribeAclsResponse;
import io.rivulet.protocol.message.DescribeAclsResponse.AclDescription;
import io.rivulet.protocol.message.DescribeAclsResponse.DescribeAclsResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Sends requests about rules of access, and prints rules. Owned by the main thread. */
record AclRequests(BrokerConnection broker, Output out) {
    private static final Output.Table RULES = new Output.Table(
            "\t(principal=%4$s, host=%5$s, operation=%6$s, permissionType=%7$s)%n",
            "", "resourceType,name,patternType,principal,host,operation,permissionType");

    /** @param name null for each */
    record Resource(ResourceType type, @Nullable String name, PatternType pattern) {
        static final Resource ANY = new Resource(ResourceType.ANY, null, PatternType.ANY);
    }

    /** A rule without its resource. */
    record Entry(String principal, String host, Operation operation, Effect effect) {}

    /** As in Kafka's tool; the broker takes any. */
    static void requireSupported(Tool tool, ResourceType type, Set<Operation> wanted) {
        Set<Operation> supported = type.operations();
        supported.add(Operation.ALL);
        if (!supported.containsAll(wanted)) {
            throw tool.misused("a resource of type " + type + " has only the operations " + supported);
        }
    }

    /** @param principals whose rules are listed; empty for all */
    void list(List<Resource> resources, List<String> principals) {
        for (Resource resource : resources) {
            DescribeAclsResponse found = broker.ask(
                    ApiKey.DESCRIBE_ACLS,
                    new DescribeAclsRequest()
                            .resourceTypeFilter(resource.type.code())
                            .resourceNameFilter(resource.name)
                            .patternTypeFilter(resource.pattern.code())
                            .principalFilter(null)
                            .hostFilter(null)
                            .operation(Operation.ANY.code())
                            .permissionType(Effect.ANY.code()),
                    DescribeAclsResponse.class);
            ClientException.require(found.errorCode(), found.errorMessage(), "asking for rules");
            found.resources().forEach(each -> print(each, principals));
        }
    }

    private void print(DescribeAclsResource of, List<String> principals) {
        List<AclDescription> acls = of.acls().stream()
                .filter(acl -> principals.isEmpty() || principals.contains(acl.principal()))
                .toList();
        if (acls.isEmpty()) {
            return;
        }
        header("Current ACLs", of.resourceType(), of.resourceName(), of.patternType());
        acls.forEach(acl -> print(
                of.resourceType(),
                of.resourceName(),
                of.patternType(),
                acl.principal(),
                acl.host(),
                acl.operation(),
                acl.permissionType()));
    }

    private void header(String what, byte type, String name, byte pattern) {
        out.printf(
                "%s for resource `ResourcePattern(resourceType=%s, name=%s, patternType=%s)`:%n",
                what, ResourceType.ofCode(type), name, PatternType.ofCode(pattern));
    }

    private void print(
            byte type, String name, byte pattern, String principal, String host, byte operation, byte effect) {
        out.row(
                RULES,
                ResourceType.ofCode(type),
                name,
                PatternType.ofCode(pattern),
                principal,
                host,
                Operation.ofCode(operation),
                Effect.ofCode(effect));
    }

    void add(Map<Resource, List<Entry>> rules) {
        List<AclCreation> creations = new ArrayList<>();
        rules.forEach((resource, entries) -> entries.forEach(entry -> creations.add(new AclCreation()
                .resourceType(resource.type.code())
                .resourceName(String.valueOf(resource.name))
                .resourcePatternType(resource.pattern.code())
                .principal(entry.principal)
                .host(entry.host)
                .operation(entry.operation.code())
                .permissionType(entry.effect.code()))));
        broker.ask(ApiKey.CREATE_ACLS, new CreateAclsRequest().creations(creations), CreateAclsResponse.class)
                .results()
                .forEach(result -> ClientException.require(result.errorCode(), result.errorMessage(), "adding rules"));
        String before = "";
        for (AclCreation rule : creations) {
            String resource = rule.resourceType() + rule.resourceName();
            if (!resource.equals(before)) {
                header("Added ACLs", rule.resourceType(), rule.resourceName(), rule.resourcePatternType());
                before = resource;
            }
            print(
                    rule.resourceType(),
                    rule.resourceName(),
                    rule.resourcePatternType(),
                    rule.principal(),
                    rule.host(),
                    rule.operation(),
                    rule.permissionType());
        }
    }

    /** Prints what is removed. A resource without entries loses all. */
    void remove(Map<Resource, List<Entry>> rules) {
        List<DeleteAclsFilter> filters = new ArrayList<>();
        rules.forEach((resource, entries) -> {
            if (entries.isEmpty()) {
                filters.add(filter(resource, null, null, Operation.ANY, Effect.ANY));
            }
            entries.forEach(
                    entry -> filters.add(filter(resource, entry.principal, entry.host, entry.operation, entry.effect)));
        });
        DeleteAclsResponse removed =
                broker.ask(ApiKey.DELETE_ACLS, new DeleteAclsRequest().filters(filters), DeleteAclsResponse.class);
        removed.filterResults().forEach(result -> {
            ClientException.require(result.errorCode(), result.errorMessage(), "removing rules");
            result.matchingAcls().forEach(this::print);
        });
    }

    private void print(DeleteAclsMatchingAcl acl) {
        ClientException.require(acl.errorCode(), acl.errorMessage(), "removing a rule");
        header("Removed ACLs", acl.resourceType(), acl.resourceName(), acl.patternType());
        print(
                acl.resourceType(),
                acl.resourceName(),
                acl.patternType(),
                acl.principal(),
                acl.host(),
                acl.operation(),
                acl.permissionType());
    }

    private static DeleteAclsFilter filter(
            Resource resource, @Nullable String principal, @Nullable String host, Operation operation, Effect effect) {
        return new DeleteAclsFilter()
                .resourceTypeFilter(resource.type.code())
                .resourceNameFilter(resource.name)
                .patternTypeFilter(resource.pattern.code())
                .principalFilter(principal)
                .hostFilter(host)
                .operation(operation.code())
                .permissionType(effect.code());
    }
}
