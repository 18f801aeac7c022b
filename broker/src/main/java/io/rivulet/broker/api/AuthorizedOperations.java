package io.rivulet.broker.api;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.access.ResourceType;
import java.util.Set;

/** The operations that a client may do with a resource, as the protocol has them: a bit for each. Stateless. */
public final class AuthorizedOperations {
    /** The client has not asked for them. */
    public static final int NOT_ASKED = Integer.MIN_VALUE;

    private static final Set<Operation> OF_CLUSTER = ResourceType.CLUSTER.operations();
    private static final Set<Operation> OF_TOPIC = ResourceType.TOPIC.operations();
    private static final Set<Operation> OF_GROUP = ResourceType.GROUP.operations();

    private static final int ALL_OF_TOPIC = bits(OF_TOPIC);

    private AuthorizedOperations() {}

    private static int bits(Set<Operation> operations) {
        return operations.stream().mapToInt(Operation::bit).sum();
    }

    /** Zero if the client may not even describe the cluster. */
    public static int ofCluster(Access access, boolean asked) {
        if (!asked) {
            return NOT_ASKED;
        }
        return access.mayCluster(Operation.DESCRIBE)
                ? of(access, OF_CLUSTER, ResourceType.CLUSTER, Access.CLUSTER_NAME)
                : 0;
    }

    public static int ofTopic(Access access, String name, boolean asked) {
        if (!asked) {
            return NOT_ASKED;
        }
        return access.isUnlimited() ? ALL_OF_TOPIC : of(access, OF_TOPIC, ResourceType.TOPIC, name);
    }

    public static int ofGroup(Access access, String name) {
        return of(access, OF_GROUP, ResourceType.GROUP, name);
    }

    private static int of(Access access, Set<Operation> operations, ResourceType type, String name) {
        int bits = 0;
        for (Operation operation : operations) {
            bits |= access.may(operation, type, name) ? operation.bit() : 0;
        }
        return bits;
    }
}
