package io.rivulet.broker.acl;

import java.util.ArrayList;
import java.util.List;

/** The rules at one moment, to list them. Immutable. */
public final class RuleList {
    private final RuleSet rules;

    RuleList(RuleSet rules) {
        this.rules = rules;
    }

    public int size() {
        return rules.size();
    }

    public boolean has(Rule rule) {
        return rules.has(rule);
    }

    /** The rules that the filter matches, by principal, type and name; at most so many. */
    public List<Rule> matching(RuleFilter filter, int most) {
        List<Rule> found = new ArrayList<>();
        boolean unused = most == 0
                || rules.forEach(filter, rule -> {
                    found.add(rule);
                    return found.size() < most;
                });
        return found;
    }
}
