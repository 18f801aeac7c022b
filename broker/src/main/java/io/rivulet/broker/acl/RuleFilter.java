package io.rivulet.broker.acl;

import io.rivulet.broker.access.Operation;
import io.rivulet.broker.access.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * The rules that a request asks for. What is null, or ANY, matches everything. With the pattern MATCH, it matches the
 * rules that are for a resource of the name. Immutable.
 */
public record RuleFilter(
        ResourceType type,
        PatternType pattern,
        @Nullable String name,
        @Nullable String principal,
        @Nullable String host,
        Operation operation,
        Effect effect) {
    public static final RuleFilter ALL =
            new RuleFilter(ResourceType.ANY, PatternType.ANY, null, null, null, Operation.ANY, Effect.ANY);

    /** Whether to find its rules costs as much as there are rules. */
    public boolean isBroad() {
        return principal == null || name == null;
    }

    /** The {@link OperationBits} of the rules that it may match. */
    long bits() {
        return bits(PatternType.LITERAL) | bits(PatternType.PREFIXED);
    }

    /** Those of rules with this pattern. */
    private long bits(PatternType rules) {
        boolean both = pattern == PatternType.ANY || pattern == PatternType.MATCH;
        return both || pattern == rules ? bits(rules, Effect.ALLOW) | bits(rules, Effect.DENY) : 0;
    }

    private long bits(PatternType rules, Effect ofRules) {
        if (effect != Effect.ANY && effect != ofRules) {
            return 0;
        }
        if (operation != Operation.ANY) {
            return OperationBits.of(rules, ofRules, operation);
        }
        long bits = 0;
        for (Operation each : Operation.values()) {
            bits |= OperationBits.of(rules, ofRules, each);
        }
        return bits;
    }

    /** The bits of the rules of this name that it may match. */
    long bitsFor(String ruleName) {
        if (pattern != PatternType.MATCH || name == null || name.equals(ruleName)) {
            return bits();
        }
        return (name.startsWith(ruleName) ? bits(PatternType.PREFIXED) : 0)
                | (ruleName.equals(Rule.ANY) ? bits(PatternType.LITERAL) : 0);
    }
}
