package io.rivulet.broker.access;

/** What one client may do. The answer may change while the client is connected, when rules change. Thread-safe. */
public interface Access {
    /** The name of the only resource of type {@link ResourceType#CLUSTER}. */
    String CLUSTER_NAME = "kafka-cluster";

    /** Of a client that may do everything, because the broker has no rules. */
    Access UNLIMITED = unlimited(Principal.ANONYMOUS);

    Principal principal();

    /** True if every question has the answer yes, so that none must be asked. */
    boolean isUnlimited();

    boolean may(Operation operation, ResourceType type, String name);

    /**
     * The same as {@link #may}, to choose what an answer shows or to describe what is allowed. A no is not worth a line
     * in the audit log, because the client did not ask for this resource.
     */
    default boolean sees(Operation operation, ResourceType type, String name) {
        return may(operation, type, name);
    }

    /** Of the rules: another number after they have changed. It is 0 where {@link #isUnlimited}. */
    default long version() {
        return 0;
    }

    /** Whether there may be a resource of this type with which the operation is allowed. */
    boolean mayWithAny(Operation operation, ResourceType type);

    default boolean mayCluster(Operation operation) {
        return may(operation, ResourceType.CLUSTER, CLUSTER_NAME);
    }

    default boolean mayTopic(Operation operation, String topic) {
        return may(operation, ResourceType.TOPIC, topic);
    }

    default boolean mayGroup(Operation operation, String group) {
        return may(operation, ResourceType.GROUP, group);
    }

    default boolean mayTransactionalId(Operation operation, String id) {
        return may(operation, ResourceType.TRANSACTIONAL_ID, id);
    }

    /** Of a client that may do everything, and has said who it is. */
    static Access unlimited(Principal principal) {
        return new Access() {
            @Override
            public Principal principal() {
                return principal;
            }

            @Override
            public boolean isUnlimited() {
                return true;
            }

            @Override
            public boolean may(Operation operation, ResourceType type, String name) {
                return true;
            }

            @Override
            public boolean mayWithAny(Operation operation, ResourceType type) {
                return true;
            }
        };
    }
}
