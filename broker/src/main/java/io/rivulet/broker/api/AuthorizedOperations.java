package io.rivulet.broker.api;

/**
 * The operations that a client may do with a resource: a bit for each of Kafka's ACL operations. Every client may do
 * all that exist for the resource, because there is no authorizer. Stateless.
 */
public final class AuthorizedOperations {
    /** The client has not asked for them. */
    public static final int NOT_ASKED = Integer.MIN_VALUE;

    private static final int READ = 1 << 3;
    private static final int WRITE = 1 << 4;
    private static final int CREATE = 1 << 5;
    private static final int DELETE = 1 << 6;
    private static final int ALTER = 1 << 7;
    private static final int DESCRIBE = 1 << 8;
    private static final int CLUSTER_ACTION = 1 << 9;
    private static final int DESCRIBE_CONFIGS = 1 << 10;
    private static final int ALTER_CONFIGS = 1 << 11;
    private static final int IDEMPOTENT_WRITE = 1 << 12;

    public static final int CLUSTER =
            CREATE | ALTER | DESCRIBE | CLUSTER_ACTION | DESCRIBE_CONFIGS | ALTER_CONFIGS | IDEMPOTENT_WRITE;
    public static final int TOPIC =
            READ | WRITE | CREATE | DELETE | ALTER | DESCRIBE | DESCRIBE_CONFIGS | ALTER_CONFIGS;
    public static final int GROUP = READ | DELETE | DESCRIBE | DESCRIBE_CONFIGS | ALTER_CONFIGS;

    private AuthorizedOperations() {}

    /** @param asked whether the client has asked for them */
    public static int of(int operations, boolean asked) {
        return asked ? operations : NOT_ASKED;
    }
}
