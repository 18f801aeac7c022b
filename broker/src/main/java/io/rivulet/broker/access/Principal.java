package io.rivulet.broker.access;

/** Who a client is. Immutable. */
public record Principal(String type, String name) {
    public static final String USER = "User";

    /** A client that has not said who it is. */
    public static final Principal ANONYMOUS = user("ANONYMOUS");

    public static Principal user(String name) {
        return new Principal(USER, name);
    }

    /** As in rules of access: User:alice. */
    @Override
    public String toString() {
        return type + ":" + name;
    }
}
