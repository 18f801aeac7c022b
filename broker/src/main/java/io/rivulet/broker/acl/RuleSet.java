package io.rivulet.broker.acl;

import io.rivulet.broker.access.Operation;
import io.rivulet.broker.access.ResourceType;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * All rules at one moment: for each principal, type, name and host the operations that are allowed and denied. So a
 * decision costs what its principal has for prefixes of the name. Rules of others, and for other names, cost nothing. A
 * change makes a new set, which shares nearly everything with the old one.
 *
 * <p>Immutable.
 *
 * @param epoch rises with each change
 * @param bytes the heap that the rules take, about
 * @param named the number of rules for each name of a resource; null if {@link #hasRuleFor} is not needed
 */
record RuleSet(
        long epoch,
        int size,
        long bytes,
        @Nullable SortedTree<PrincipalRules> principals,
        @Nullable NamedRules named) {
    private static final int PRINCIPAL_BYTES = 200;
    private static final int NAME_BYTES = 128;
    private static final int HOST_BYTES = 112;

    /** @param countNames whether {@link #hasRuleFor} will be asked */
    static RuleSet empty(boolean countNames) {
        return new RuleSet(0, 0, 0, null, countNames ? NamedRules.NONE : null);
    }

    // ---- decisions ----

    /** The rules for the principal. */
    PrincipalRules of(String principal) {
        PrincipalRules rules = SortedTree.get(principals, principal);
        return rules == null ? PrincipalRules.NONE : rules;
    }

    /** The bits of all rules in the tree that match the resource and the client's address. */
    static long matching(@Nullable SortedTree<NameRules> names, String resource, String host) {
        return names == null ? 0 : new Matching(resource, host).in(names);
    }

    /** Adds up rules of names that match. Owned by one decision. */
    private static final class Matching implements SortedTree.Visitor<NameRules> {
        private final String resource;
        private final String host;
        private long bits;

        Matching(String resource, String host) {
            this.resource = resource;
            this.host = host;
        }

        long in(SortedTree<NameRules> names) {
            SortedTree.forEachPrefix(names, resource, this);
            return bits | forAll(names, resource, host);
        }

        @Override
        public boolean visit(String name, NameRules rules) {
            long found = rules.at(host);
            bits |= name.length() == resource.length() ? found : found & OperationBits.OF_PREFIXED;
            return true;
        }
    }

    /** The bits of literal rules for all names. As in Kafka, they don't match a longer name that begins with *. */
    private static long forAll(SortedTree<NameRules> names, String resource, String host) {
        return beginsWithAny(resource) ? 0 : forAll(names, host);
    }

    /** The bits of literal rules for all names. */
    static long forAll(@Nullable SortedTree<NameRules> names, String host) {
        NameRules rules = SortedTree.get(names, Rule.ANY);
        return rules == null ? 0 : rules.at(host) & OperationBits.OF_LITERAL;
    }

    /** Whether this is one of the names that literal rules for all names do not match. */
    static boolean beginsWithAny(String resource) {
        return resource.length() > 1 && resource.startsWith(Rule.ANY);
    }

    /** Whether there is a rule for the resource, of any principal. */
    boolean hasRuleFor(ResourceType type, String resource) {
        return named == null || named.hasRuleFor(type, resource);
    }

    // ---- lists ----

    boolean has(Rule rule) {
        return (at(rule).of(rule.host()) & bit(rule)) != 0;
    }

    private NameRules at(Rule rule) {
        NameRules rules = SortedTree.get(of(rule.principal()).of(rule.type()), rule.name());
        return rules == null ? NameRules.NONE : rules;
    }

    private static long bit(Rule rule) {
        return OperationBits.of(rule.pattern(), rule.effect(), rule.operation());
    }

    /** Visits the rules that the filter matches. False if the visitor has stopped. */
    boolean forEach(RuleFilter filter, Predicate<Rule> visitor) {
        String principal = filter.principal();
        if (principal != null) {
            return of(principal).forEach(principal, filter, visitor);
        }
        return SortedTree.forEach(principals, filter.bits(), (name, rules) -> rules.forEach(name, filter, visitor));
    }

    // ---- changes ----

    /** This set itself if it has the rule. */
    RuleSet with(Rule rule) {
        return changed(rule, true);
    }

    /** This set itself if it does not have the rule. */
    RuleSet without(Rule rule) {
        return changed(rule, false);
    }

    private RuleSet changed(Rule rule, boolean added) {
        PrincipalRules ofPrincipal = of(rule.principal());
        SortedTree<NameRules> names = ofPrincipal.of(rule.type());
        NameRules known = SortedTree.get(names, rule.name());
        NameRules before = known == null ? NameRules.NONE : known;
        long bitsBefore = before.of(rule.host());
        long bits = added ? bitsBefore | bit(rule) : bitsBefore & ~bit(rule);
        if (bits == bitsBefore) {
            return this;
        }
        NameRules after = before.with(rule.host(), bits);
        SortedTree<NameRules> namesAfter = put(names, rule.name(), after, after.isEmpty());
        PrincipalRules principalAfter = ofPrincipal.with(rule.type(), namesAfter);
        return new RuleSet(
                epoch + 1,
                size + (added ? 1 : -1),
                bytes
                        + hostBytes(rule, bits)
                        - hostBytes(rule, bitsBefore)
                        + nameBytes(rule, after)
                        - nameBytes(rule, before)
                        + principalBytes(rule, principalAfter)
                        - principalBytes(rule, ofPrincipal),
                put(principals, rule.principal(), principalAfter, principalAfter.isEmpty()),
                named == null ? null : named.changed(rule, added));
    }

    /** Removes the key if its value is empty. */
    static <V extends SortedTree.Value> @Nullable SortedTree<V> put(
            @Nullable SortedTree<V> tree, String key, V value, boolean isEmpty) {
        if (!isEmpty) {
            return SortedTree.with(tree, key, value);
        }
        return tree == null ? null : SortedTree.without(tree, key);
    }

    /** The most heap that a rule takes. */
    static long mostBytes(Rule rule) {
        return PRINCIPAL_BYTES
                + NAME_BYTES
                + HOST_BYTES
                + 2L
                        * (rule.principal().length()
                                + rule.name().length()
                                + rule.host().length());
    }

    private static long hostBytes(Rule rule, long bits) {
        return bits == 0 || rule.host().equals(Rule.ANY)
                ? 0
                : HOST_BYTES + 2L * rule.host().length();
    }

    private static long nameBytes(Rule rule, NameRules rules) {
        return rules.isEmpty() ? 0 : NAME_BYTES + 2L * rule.name().length();
    }

    private static long principalBytes(Rule rule, PrincipalRules rules) {
        return rules.isEmpty() ? 0 : PRINCIPAL_BYTES + 2L * rule.principal().length();
    }

    /** The operations that a rule denies for some name or host, so that they are not allowed for all names. */
    static int deniedSomewhere(@Nullable SortedTree<NameRules> names) {
        int denied = OperationBits.denied(SortedTree.bits(names));
        return (denied & Operation.ALL.bit()) != 0 ? OperationBits.EVERY : denied;
    }
}
