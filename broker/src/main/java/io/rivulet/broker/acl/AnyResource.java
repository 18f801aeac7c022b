package io.rivulet.broker.acl;

import io.rivulet.broker.access.Operation;
import io.rivulet.broker.access.ResourceType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether there may be a resource of a type with which an operation is allowed: a rule allows it, and no rule
 * denies it for the same name or for a prefix of it. As in Kafka, no operation follows from another one here.
 *
 * <p>Owned by one decision.
 */
final class AnyResource {
    private final List<PrincipalRules> principals;
    private final ResourceType type;
    private final String host;
    private final long allow;
    private final long deny;

    /** A name for which, and for all longer ones, the operation is denied. */
    private @Nullable String denied;

    /** @param principals the rules of the client, and those for all */
    AnyResource(List<PrincipalRules> principals, ResourceType type, String host, Operation operation) {
        this.principals = principals;
        this.type = type;
        this.host = host;
        this.allow = bits(operation, Effect.ALLOW);
        this.deny = bits(operation, Effect.DENY);
    }

    private static long bits(Operation operation, Effect effect) {
        return bits(PatternType.LITERAL, operation, effect) | bits(PatternType.PREFIXED, operation, effect);
    }

    private static long bits(PatternType pattern, Operation operation, Effect effect) {
        return OperationBits.of(pattern, effect, operation) | OperationBits.of(pattern, effect, Operation.ALL);
    }

    boolean isAllowed() {
        long forAll = 0;
        for (PrincipalRules rules : principals) {
            forAll |= RuleSet.forAll(rules.of(type), host);
        }
        if ((forAll & deny) != 0) {
            return false;
        }
        if ((forAll & allow) != 0) {
            return true;
        }
        for (PrincipalRules rules : principals) {
            denied = null;
            if (!SortedTree.forEach(rules.of(type), allow, (name, ofName) -> !isAllowed(name, ofName.at(host)))) {
                return true;
            }
        }
        return false;
    }

    private boolean isAllowed(String name, long bits) {
        if ((bits & allow) == 0 || isPrefixDenied(name)) {
            return false;
        }
        return (bits & allow & OperationBits.OF_PREFIXED) != 0 || !isDenied(name);
    }

    /** The names come in order, so those after a denied prefix that begin with it are next to each other. */
    private boolean isPrefixDenied(String name) {
        if (denied != null && name.startsWith(denied)) {
            return true;
        }
        for (PrincipalRules rules : principals) {
            if (!SortedTree.forEachPrefix(rules.of(type), name, this::keepDenied)) {
                return true;
            }
        }
        return false;
    }

    /** False if the prefix is denied. */
    private boolean keepDenied(String prefix, NameRules rules) {
        if ((rules.at(host) & deny & OperationBits.OF_PREFIXED) == 0) {
            return true;
        }
        denied = prefix;
        return false;
    }

    private boolean isDenied(String name) {
        for (PrincipalRules rules : principals) {
            NameRules ofName = SortedTree.get(rules.of(type), name);
            if (ofName != null && (ofName.at(host) & deny & OperationBits.OF_LITERAL) != 0) {
                return true;
            }
        }
        return false;
    }
}
