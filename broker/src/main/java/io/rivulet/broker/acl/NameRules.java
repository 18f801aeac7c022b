package io.rivulet.broker.acl;

import io.rivulet.broker.access.ResourceType;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The rules of one principal for one name of a resource, literal and prefixed. Immutable.
 *
 * @param anyHost the {@link OperationBits} of rules for all hosts
 * @param hosts those for one host each; null if there are none
 */
record NameRules(long anyHost, @Nullable SortedTree<Host> hosts) implements SortedTree.Value {
    static final NameRules NONE = new NameRules(0, null);

    record Host(long bits) implements SortedTree.Value {}

    @Override
    public long bits() {
        return anyHost | SortedTree.bits(hosts);
    }

    boolean isEmpty() {
        return anyHost == 0 && hosts == null;
    }

    /** The bits of the rules that are for a client at this address. */
    long at(String host) {
        return hosts == null ? anyHost : anyHost | ofHost(host);
    }

    /** The bits of the rules with this host. */
    long of(String ruleHost) {
        return ruleHost.equals(Rule.ANY) ? anyHost : ofHost(ruleHost);
    }

    private long ofHost(String host) {
        Host known = SortedTree.get(hosts, host);
        return known == null ? 0 : known.bits;
    }

    NameRules with(String ruleHost, long bits) {
        if (ruleHost.equals(Rule.ANY)) {
            return new NameRules(bits, hosts);
        }
        if (bits != 0) {
            return new NameRules(anyHost, SortedTree.with(hosts, ruleHost, new Host(bits)));
        }
        return hosts == null ? this : new NameRules(anyHost, SortedTree.without(hosts, ruleHost));
    }

    /** Visits the rules that the filter matches. False if the visitor has stopped. */
    boolean forEach(ResourceType type, String name, String principal, RuleFilter filter, Predicate<Rule> visitor) {
        long asked = filter.bitsFor(name);
        SortedTree.Visitor<Host> each = (host, of) -> {
            for (long bits = of.bits & asked; bits != 0; bits &= bits - 1) {
                int bit = Long.numberOfTrailingZeros(bits);
                Rule rule = new Rule(
                        type,
                        OperationBits.pattern(bit),
                        name,
                        principal,
                        host,
                        OperationBits.operation(bit),
                        OperationBits.effect(bit));
                if (!visitor.test(rule)) {
                    return false;
                }
            }
            return true;
        };
        String host = filter.host();
        if (host != null) {
            return each.visit(host, new Host(of(host)));
        }
        return each.visit(Rule.ANY, new Host(anyHost)) && SortedTree.forEach(hosts, asked, each);
    }
}
