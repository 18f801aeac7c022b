package io.rivulet.broker.acl;

import io.rivulet.broker.access.Operation;
import io.rivulet.broker.access.ResourceType;

/**
 * One rule. Immutable.
 *
 * @param name of the resources, as the pattern says
 * @param principal as type:name; {@link #ANY_PRINCIPAL} stands for all
 * @param host the address of the client; {@link #ANY} stands for all
 */
public record Rule(
        ResourceType type,
        PatternType pattern,
        String name,
        String principal,
        String host,
        Operation operation,
        Effect effect) {
    /** All hosts, or all names of a literal rule. */
    public static final String ANY = "*";

    public static final String ANY_PRINCIPAL = "User:*";
}
