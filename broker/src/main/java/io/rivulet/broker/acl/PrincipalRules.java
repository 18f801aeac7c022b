package io.rivulet.broker.acl;

import io.rivulet.broker.access.ResourceType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The rules of one principal: a tree of names for each type of resource. Immutable.
 *
 * @param byType by the number of the type
 */
record PrincipalRules(List<@Nullable SortedTree<NameRules>> byType) implements SortedTree.Value {
    /** The numbers of types begin with 1. */
    static final int TYPES = ResourceType.values().length + 1;

    static final PrincipalRules NONE = new PrincipalRules(Collections.nCopies(TYPES, null));

    /** Null if there are none. */
    @Nullable
    SortedTree<NameRules> of(ResourceType type) {
        return byType.get(type.code());
    }

    PrincipalRules with(ResourceType type, @Nullable SortedTree<NameRules> names) {
        List<@Nullable SortedTree<NameRules>> changed = new ArrayList<>(byType);
        changed.set(type.code(), names);
        return new PrincipalRules(Collections.unmodifiableList(changed));
    }

    /** Visits the rules that the filter matches. False if the visitor has stopped. */
    boolean forEach(String principal, RuleFilter filter, Predicate<Rule> visitor) {
        for (ResourceType type : ResourceType.values()) {
            SortedTree<NameRules> names = of(type);
            boolean isAsked = filter.type() == ResourceType.ANY || filter.type() == type;
            if (isAsked && names != null) {
                SortedTree.Visitor<NameRules> each =
                        (name, rules) -> rules.forEach(type, name, principal, filter, visitor);
                if (!forEach(names, filter, each)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean forEach(
            SortedTree<NameRules> names, RuleFilter filter, SortedTree.Visitor<NameRules> visitor) {
        String name = filter.name();
        if (name == null) {
            return SortedTree.forEach(names, filter.bits(), visitor);
        }
        if (filter.pattern() != PatternType.MATCH) {
            return visit(names, name, visitor);
        }
        return SortedTree.forEachPrefix(names, name, visitor)
                && (name.startsWith(Rule.ANY) || visit(names, Rule.ANY, visitor));
    }

    private static boolean visit(SortedTree<NameRules> names, String name, SortedTree.Visitor<NameRules> visitor) {
        NameRules rules = SortedTree.get(names, name);
        return rules == null || visitor.visit(name, rules);
    }

    boolean isEmpty() {
        return bits() == 0;
    }

    @Override
    public long bits() {
        long bits = 0;
        for (SortedTree<NameRules> names : byType) {
            bits |= SortedTree.bits(names);
        }
        return bits;
    }
}
