package io.rivulet.broker.access;

/** Says what clients may do. Thread-safe. */
@FunctionalInterface
public interface AccessControl {
    /** Without rules: every client may do everything. */
    AccessControl NONE =
            (principal, host) -> principal.equals(Principal.ANONYMOUS) ? Access.UNLIMITED : Access.unlimited(principal);

    /** @param host the address of the client, as text without a name */
    Access of(Principal principal, String host);
}
