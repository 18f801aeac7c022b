package io.rivulet.broker.group.consumer;

import java.util.List;

/**
 * The topics that a member subscribes to. Members of a group with equal subscriptions share one instance, so comparing
 * them is cheap. Immutable.
 */
public final class Subscription {
    public static final Subscription NOTHING = new Subscription(List.of(), "");

    private final List<String> names;
    private final String regex;
    private final int hashOfNames;
    private final int hash;

    /** @param names sorted, each once */
    private Subscription(List<String> names, String regex) {
        this.names = names;
        this.regex = regex;
        this.hashOfNames = names.hashCode();
        this.hash = 31 * hashOfNames + regex.hashCode();
    }

    public static Subscription of(List<String> names, String regex) {
        return new Subscription(names.stream().distinct().sorted().toList(), regex);
    }

    /** Sorted, each once. */
    public List<String> names() {
        return names;
    }

    int hashOfNames() {
        return hashOfNames;
    }

    /** Empty for none. It must match the whole name of a topic. */
    String regex() {
        return regex;
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof Subscription that
                        && hash == that.hash
                        && regex.equals(that.regex)
                        && names.equals(that.names));
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
