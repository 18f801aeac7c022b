package io.rivulet.it;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.message.CreateAclsRequestData;
import org.apache.kafka.common.message.CreateAclsRequestData.AclCreation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.security.plain.PlainLoginModule;

/**
 * The users of the {@link RightsMatrix}: one that may do nothing, one that may do everything with what is its own, one
 * that may do everything, and one for each single right. The password of a user is its name. Stateless.
 */
final class RightsUsers {
    static final String SUPER = "super";
    static final String WITHOUT_RIGHTS = "without-rights";
    static final String RIGHT = "right";
    /** The prefix of the names that the rights are for. */
    static final String MINE = "mine";

    private static final List<AclOperation> OF_TOPIC = List.of(
            AclOperation.READ,
            AclOperation.WRITE,
            AclOperation.CREATE,
            AclOperation.DELETE,
            AclOperation.ALTER,
            AclOperation.DESCRIBE,
            AclOperation.DESCRIBE_CONFIGS,
            AclOperation.ALTER_CONFIGS);
    private static final List<AclOperation> OF_GROUP = List.of(
            AclOperation.READ,
            AclOperation.DELETE,
            AclOperation.DESCRIBE,
            AclOperation.DESCRIBE_CONFIGS,
            AclOperation.ALTER_CONFIGS);
    private static final List<AclOperation> OF_ID =
            List.of(AclOperation.DESCRIBE, AclOperation.WRITE, AclOperation.TWO_PHASE_COMMIT);
    private static final List<AclOperation> OF_CLUSTER = List.of(
            AclOperation.CREATE,
            AclOperation.ALTER,
            AclOperation.DESCRIBE,
            AclOperation.CLUSTER_ACTION,
            AclOperation.DESCRIBE_CONFIGS,
            AclOperation.ALTER_CONFIGS,
            AclOperation.IDEMPOTENT_WRITE);

    private record Single(ResourceType type, AclOperation operation) {
        String user() {
            return (type + "-" + operation).toLowerCase(Locale.ROOT);
        }
    }

    private RightsUsers() {}

    private static List<Single> singles() {
        List<Single> singles = new ArrayList<>();
        OF_TOPIC.forEach(operation -> singles.add(new Single(ResourceType.TOPIC, operation)));
        OF_GROUP.forEach(operation -> singles.add(new Single(ResourceType.GROUP, operation)));
        OF_ID.forEach(operation -> singles.add(new Single(ResourceType.TRANSACTIONAL_ID, operation)));
        OF_CLUSTER.forEach(operation -> singles.add(new Single(ResourceType.CLUSTER, operation)));
        return singles;
    }

    static List<String> all() {
        List<String> all = new ArrayList<>(List.of(WITHOUT_RIGHTS, RIGHT));
        singles().forEach(single -> all.add(single.user()));
        all.add(SUPER);
        return all;
    }

    /** The value of sasl.jaas.config for the mechanism PLAIN. */
    static String jaas() {
        return PlainLoginModule.class.getName() + " required username=\"" + SUPER + "\" password=\"" + SUPER + "\" "
                + all().stream()
                        .map(user -> "user_" + user + "=\"" + user + "\"")
                        .collect(Collectors.joining(" "))
                + ";";
    }

    static CreateAclsRequestData rules() {
        List<AclCreation> rules = new ArrayList<>();
        for (Single single : singles()) {
            rules.add(rule(single.user(), single));
            if (single.type != ResourceType.CLUSTER) {
                rules.add(rule(RIGHT, single));
            }
        }
        return new CreateAclsRequestData().setCreations(rules);
    }

    private static AclCreation rule(String user, Single single) {
        boolean ofCluster = single.type == ResourceType.CLUSTER;
        return new AclCreation()
                .setResourceType(single.type.code())
                .setResourceName(ofCluster ? "kafka-cluster" : MINE)
                .setResourcePatternType((ofCluster ? PatternType.LITERAL : PatternType.PREFIXED).code())
                .setPrincipal("User:" + user)
                .setHost("*")
                .setOperation(single.operation.code())
                .setPermissionType(AclPermissionType.ALLOW.code());
    }
}
