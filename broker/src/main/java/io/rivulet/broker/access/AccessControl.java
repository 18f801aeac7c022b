package io.rivulet.broker.access;

/** Says what clients may do. Thread-safe. */
@FunctionalInterface
public interface AccessControl {
    /** Without rules: everybody may do everything. */
    AccessControl NONE = (principal, host) -> Access.UNLIMITED;

    /** @param host the address of the client, as text without a name */
    Access of(Principal principal, String host);
}
