package io.rivulet.broker.api;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.call.Permission;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.wire.Message;

/** What clients need for requests, with Kafka's errors. Stateless. */
public final class Permissions {
    private Permissions() {}

    public static Permission<Message> cluster(Operation operation) {
        return (access, request, version) ->
                access.mayCluster(operation) ? ErrorCode.NONE : ErrorCode.CLUSTER_AUTHORIZATION_FAILED;
    }

    public static ErrorCode group(Access access, Operation operation, String name) {
        return access.mayGroup(operation, name) ? ErrorCode.NONE : ErrorCode.GROUP_AUTHORIZATION_FAILED;
    }

    public static ErrorCode transaction(Access access, Operation operation, String id) {
        return access.mayTransactionalId(operation, id)
                ? ErrorCode.NONE
                : ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED;
    }
}
