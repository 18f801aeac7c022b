package io.rivulet.broker.acl;

import io.rivulet.broker.access.ResourceType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * For which names of resources there are rules, for any principal. Immutable.
 *
 * @param byType by the number of the type
 */
record NamedRules(List<@Nullable SortedTree<Count>> byType) {
    static final NamedRules NONE = new NamedRules(Collections.nCopies(PrincipalRules.TYPES, null));

    /** The numbers of literal and prefixed rules for a name. */
    record Count(int literal, int prefixed) implements SortedTree.Value {
        static final Count NONE = new Count(0, 0);

        @Override
        public long bits() {
            return 0;
        }

        Count changed(PatternType pattern, int difference) {
            return pattern == PatternType.PREFIXED
                    ? new Count(literal, prefixed + difference)
                    : new Count(literal + difference, prefixed);
        }
    }

    boolean hasRuleFor(ResourceType type, String resource) {
        SortedTree<Count> names = byType.get(type.code());
        boolean none = SortedTree.forEachPrefix(
                names,
                resource,
                (name, count) -> count.prefixed == 0 && (count.literal == 0 || name.length() < resource.length()));
        return !none || (!RuleSet.beginsWithAny(resource) && hasLiteralForAll(names));
    }

    private static boolean hasLiteralForAll(@Nullable SortedTree<Count> names) {
        Count count = SortedTree.get(names, Rule.ANY);
        return count != null && count.literal > 0;
    }

    NamedRules changed(Rule rule, boolean added) {
        SortedTree<Count> names = byType.get(rule.type().code());
        Count known = SortedTree.get(names, rule.name());
        Count after = (known == null ? Count.NONE : known).changed(rule.pattern(), added ? 1 : -1);
        List<@Nullable SortedTree<Count>> changed = new ArrayList<>(byType);
        changed.set(rule.type().code(), RuleSet.put(names, rule.name(), after, after.equals(Count.NONE)));
        return new NamedRules(Collections.unmodifiableList(changed));
    }
}
