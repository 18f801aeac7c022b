package io.rivulet.broker.acl;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.access.Principal;
import io.rivulet.broker.access.ResourceType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one connection may do by the rules. Each decision is made from one {@link RuleSet}, so it is one that the rules
 * gave at some moment during the question. Keeps no rules, so that an idle connection does not hold old ones.
 *
 * <p>Thread-safe.
 */
final class RuledAccess implements Access {
    /** Kafka asks for this name before it looks at the rules for other names. */
    private static final String SOME_NAME = "hardcode";

    /** The kinds of questions in the cache: a type of resource, and for any resource also the operation. */
    private static final int KINDS = PrincipalRules.TYPES;

    private final Principal principal;
    private final String ruleName;
    private final String host;
    private final Rules rules;
    private final DecisionCache cache;
    private final AuditLog.Connection audit;
    private final long id;

    /** What is allowed for all names. */
    private volatile Open open = new Open(-1);

    /** @param id of the connection, in the cache */
    RuledAccess(Principal principal, String host, Rules rules, DecisionCache cache, AuditLog audit, long id) {
        this.principal = principal;
        this.ruleName = principal.toString();
        this.host = host;
        this.rules = rules;
        this.cache = cache;
        this.audit = audit.of(ruleName, host);
        this.id = id;
    }

    /** Operations that are allowed for each name, by type of resource, in one epoch. */
    private static final class Open {
        private final long epoch;
        private final int[] operations = new int[KINDS];

        Open(long epoch) {
            this.epoch = epoch;
        }
    }

    @Override
    public Principal principal() {
        return principal;
    }

    @Override
    public boolean isUnlimited() {
        return false;
    }

    @Override
    public long version() {
        return rules.now().epoch();
    }

    @Override
    public boolean may(Operation operation, ResourceType type, String name) {
        boolean allowed = sees(operation, type, name);
        audit.decided(allowed, operation, type, name);
        return allowed;
    }

    @Override
    public boolean sees(Operation operation, ResourceType type, String name) {
        RuleSet now = rules.now();
        int always = open(now).operations[type.code()];
        if ((always & operation.bit()) != 0 && !RuleSet.beginsWithAny(name)) {
            return true;
        }
        return (operations(now, type, name) & operation.bit()) != 0;
    }

    private int operations(RuleSet now, ResourceType type, String name) {
        int known = cache.get(id, now.epoch(), type.code(), name);
        if (known != DecisionCache.UNKNOWN) {
            return known;
        }
        long bits = RuleSet.matching(now.of(ruleName).of(type), name, host)
                | RuleSet.matching(now.of(Rule.ANY_PRINCIPAL).of(type), name, host);
        int operations = bits == 0 && !now.hasRuleFor(type, name) ? OperationBits.EVERY : OperationBits.decide(bits);
        cache.put(id, now.epoch(), type.code(), name, operations);
        return operations;
    }

    private Open open(RuleSet now) {
        Open known = open;
        if (known.epoch == now.epoch()) {
            return known;
        }
        Open found = new Open(now.epoch());
        PrincipalRules own = now.of(ruleName);
        PrincipalRules ofAll = now.of(Rule.ANY_PRINCIPAL);
        for (ResourceType type : ResourceType.values()) {
            found.operations[type.code()] = open(own.of(type), ofAll.of(type));
        }
        open = found;
        return found;
    }

    private int open(@Nullable SortedTree<NameRules> own, @Nullable SortedTree<NameRules> ofAll) {
        int allowed = OperationBits.decide(RuleSet.forAll(own, host) | RuleSet.forAll(ofAll, host));
        return allowed & ~RuleSet.deniedSomewhere(own) & ~RuleSet.deniedSomewhere(ofAll);
    }

    @Override
    public boolean mayWithAny(Operation operation, ResourceType type) {
        if (sees(operation, type, SOME_NAME)) {
            return true;
        }
        RuleSet now = rules.now();
        int kind = KINDS * (operation.code() + 1) + type.code();
        int known = cache.get(id, now.epoch(), kind, "");
        if (known != DecisionCache.UNKNOWN) {
            return known != 0;
        }
        List<PrincipalRules> principals = List.of(now.of(ruleName), now.of(Rule.ANY_PRINCIPAL));
        boolean allowed = new AnyResource(principals, type, host, operation).isAllowed();
        cache.put(id, now.epoch(), kind, "", allowed ? 1 : 0);
        return allowed;
    }
}
