package io.rivulet.broker.api.txn;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.Permissions;
import io.rivulet.broker.api.coordinator.ChangeHandler;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.txn.Transactions;
import io.rivulet.broker.txn.TxnCoordinator;
import io.rivulet.protocol.message.EndTxnRequest;
import io.rivulet.protocol.wire.Message;

/** Commits or aborts a transaction. */
record EndTxnHandler(Transactions transactions) implements ChangeHandler<EndTxnRequest> {
    @Override
    public void handle(Call call, EndTxnRequest request) {
        transactions.coordinator().end(request, call.version(), call::answer);
    }

    @Override
    public ErrorCode check(Access access, EndTxnRequest request, short version) {
        return Permissions.transaction(access, Operation.WRITE, request.transactionalId());
    }

    @Override
    public Message refuse(EndTxnRequest request, short version, ErrorCode error) {
        return TxnCoordinator.refusedEnd(error);
    }
}
