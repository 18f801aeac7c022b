package io.rivulet.broker.tool;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.access.ResourceType;
import io.rivulet.broker.acl.Effect;
import io.rivulet.broker.acl.PatternType;
import io.rivulet.broker.client.BrokerConnection;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "acls",
        description = {
            "List, add or remove rules of access, as kafka-acls.sh does.",
            "Without an authorizer, the broker refuses every request about them.",
        })
public final class AclsTool extends DataTool {
    private static final Set<Operation> OF_PRODUCER = EnumSet.of(Operation.WRITE, Operation.DESCRIBE, Operation.CREATE);
    private static final Set<Operation> OF_TRANSACTIONS = EnumSet.of(Operation.WRITE, Operation.DESCRIBE);
    private static final Set<Operation> OF_CONSUMER = EnumSet.of(Operation.READ, Operation.DESCRIBE);

    /** Picocli makes sure that exactly one is given, so the last one is not read. */
    @SuppressWarnings("UnusedVariable")
    private static final class Action {
        @Option(names = "--list", description = "print the rules")
        private boolean list;

        @Option(names = "--add", description = "add rules")
        private boolean add;

        @Option(names = "--remove", description = "remove rules; needs --force")
        private boolean remove;
    }

    @ArgGroup(multiplicity = "1")
    private Action action = new Action();

    @Option(names = "--topic", paramLabel = "name", description = "a topic; * for all")
    private List<String> topics = new ArrayList<>();

    @Option(names = "--group", paramLabel = "name", description = "a group; * for all")
    private List<String> groups = new ArrayList<>();

    @Option(names = "--cluster", description = "the cluster")
    private boolean cluster;

    @Option(names = "--transactional-id", paramLabel = "id", description = "a transactional id; * for all")
    private List<String> transactionalIds = new ArrayList<>();

    @Option(names = "--delegation-token", paramLabel = "id", description = "a delegation token; * for all")
    private List<String> tokens = new ArrayList<>();

    @Option(names = "--user-principal", paramLabel = "type:name", description = "a principal, as a resource")
    private List<String> users = new ArrayList<>();

    @Option(
            names = "--resource-pattern-type",
            paramLabel = "literal|prefixed|any|match",
            description = "how names are compared; any and match only to list and to remove",
            defaultValue = "literal")
    private String pattern = "literal";

    @Option(names = "--operation", paramLabel = "name", description = "an operation, such as Read; all of them if none")
    private List<String> operations = new ArrayList<>();

    @Option(names = "--allow-principal", paramLabel = "type:name", description = "who is allowed; User:* for all")
    private List<String> allowed = new ArrayList<>();

    @Option(names = "--deny-principal", paramLabel = "type:name", description = "who is denied")
    private List<String> denied = new ArrayList<>();

    @Option(
            names = "--allow-host",
            paramLabel = "address",
            description = "from where they are allowed",
            defaultValue = "*")
    private List<String> allowedHosts = new ArrayList<>();

    @Option(
            names = "--deny-host",
            paramLabel = "address",
            description = "from where they are denied",
            defaultValue = "*")
    private List<String> deniedHosts = new ArrayList<>();

    @Option(names = "--principal", paramLabel = "type:name", description = "with --list: only rules for this principal")
    private List<String> principals = new ArrayList<>();

    @Option(names = "--producer", description = "the rules that a producer to the topics needs")
    private boolean producer;

    @Option(names = "--consumer", description = "the rules that a consumer of the topics in the groups needs")
    private boolean consumer;

    @Option(names = "--idempotent", description = "with --producer: for the cluster, too, as older brokers need it")
    private boolean idempotent;

    @Option(names = "--force", description = "with --remove: the tool does not ask")
    private boolean force;

    @Override
    void run(BrokerConnection broker, Output out) {
        AclRequests requests = new AclRequests(broker, out);
        if (action.list) {
            List<AclRequests.Resource> asked = resources();
            requests.list(asked.isEmpty() ? List.of(AclRequests.Resource.ANY) : asked, principals);
        } else if (action.add) {
            if (pattern() == PatternType.ANY || pattern() == PatternType.MATCH) {
                throw misused("--add needs the pattern type literal or prefixed");
            }
            if (allowed.isEmpty() && denied.isEmpty()) {
                throw misused("--add needs --allow-principal or --deny-principal");
            }
            requests.add(rules());
        } else {
            if (!force) {
                throw misused("--remove needs --force, because this tool does not ask");
            }
            requests.remove(rules());
        }
    }

    private PatternType pattern() {
        for (PatternType type : PatternType.values()) {
            if (type.name().equalsIgnoreCase(pattern)) {
                return type;
            }
        }
        throw misused("--resource-pattern-type " + pattern + " is not one of literal, prefixed, any, match");
    }

    private List<AclRequests.Resource> resources() {
        List<AclRequests.Resource> resources = new ArrayList<>();
        add(resources, ResourceType.TOPIC, topics);
        add(resources, ResourceType.GROUP, groups);
        add(resources, ResourceType.TRANSACTIONAL_ID, transactionalIds);
        add(resources, ResourceType.DELEGATION_TOKEN, tokens);
        add(resources, ResourceType.USER, users);
        if (cluster) {
            resources.add(ofCluster());
        }
        return resources;
    }

    private void add(List<AclRequests.Resource> resources, ResourceType type, List<String> names) {
        names.forEach(name -> resources.add(new AclRequests.Resource(type, name.strip(), pattern())));
    }

    private static AclRequests.Resource ofCluster() {
        return new AclRequests.Resource(ResourceType.CLUSTER, Access.CLUSTER_NAME, PatternType.LITERAL);
    }

    /** The rules for each resource; no rules means all of them. */
    private Map<AclRequests.Resource, List<AclRequests.Entry>> rules() {
        Map<AclRequests.Resource, List<AclRequests.Entry>> rules = new LinkedHashMap<>();
        for (AclRequests.Resource resource : resources()) {
            Set<Operation> wanted = producer || consumer ? ofRoles(resource.type()) : operations();
            if (!wanted.isEmpty()) {
                AclRequests.requireSupported(this, resource.type(), wanted);
                rules.put(resource, entries(wanted));
            }
        }
        if (producer && idempotent) {
            rules.put(ofCluster(), entries(EnumSet.of(Operation.IDEMPOTENT_WRITE)));
        }
        if (rules.isEmpty()) {
            throw misused("a resource is missing: --topic, --group, --cluster, --transactional-id, ...");
        }
        return rules;
    }

    private Set<Operation> ofRoles(ResourceType type) {
        Set<Operation> wanted = EnumSet.noneOf(Operation.class);
        if (producer && type == ResourceType.TOPIC) {
            wanted.addAll(OF_PRODUCER);
        }
        if (producer && type == ResourceType.TRANSACTIONAL_ID) {
            wanted.addAll(OF_TRANSACTIONS);
        }
        if (consumer && type == ResourceType.TOPIC) {
            wanted.addAll(OF_CONSUMER);
        }
        if (consumer && type == ResourceType.GROUP) {
            wanted.add(Operation.READ);
        }
        return wanted;
    }

    private Set<Operation> operations() {
        Set<Operation> wanted = EnumSet.noneOf(Operation.class);
        for (String name : operations) {
            Operation known = operation(name);
            if (known == null || known == Operation.ANY) {
                throw misused("--operation " + name + " is unknown");
            }
            wanted.add(known);
        }
        return wanted.isEmpty() ? EnumSet.of(Operation.ALL) : wanted;
    }

    /** Both AlterConfigs and ALTER_CONFIGS. */
    private static @Nullable Operation operation(String name) {
        String plain = name.strip().replace("_", "").toUpperCase(Locale.ROOT);
        for (Operation operation : Operation.values()) {
            if (operation.name().replace("_", "").equals(plain)) {
                return operation;
            }
        }
        return null;
    }

    private List<AclRequests.Entry> entries(Set<Operation> wanted) {
        List<AclRequests.Entry> entries = new ArrayList<>();
        add(entries, allowed, allowedHosts, wanted, Effect.ALLOW);
        add(entries, denied, deniedHosts, wanted, Effect.DENY);
        return entries;
    }

    private static void add(
            List<AclRequests.Entry> entries,
            List<String> who,
            List<String> hosts,
            Set<Operation> wanted,
            Effect effect) {
        for (String principal : who) {
            for (String host : hosts) {
                wanted.forEach(operation ->
                        entries.add(new AclRequests.Entry(principal.strip(), host.strip(), operation, effect)));
            }
        }
    }
}
