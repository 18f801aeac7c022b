package io.rivulet.broker.api.txn;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.Permissions;
import io.rivulet.broker.api.coordinator.ChangeHandler;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.txn.Transactions;
import io.rivulet.protocol.message.AddOffsetsToTxnRequest;
import io.rivulet.protocol.message.AddOffsetsToTxnResponse;
import io.rivulet.protocol.wire.Message;

/** Adds the offsets of a group to a transaction. */
record AddOffsetsToTxnHandler(Transactions transactions) implements ChangeHandler<AddOffsetsToTxnRequest> {
    @Override
    public void handle(Call call, AddOffsetsToTxnRequest request) {
        transactions
                .coordinator()
                .addOffsets(request, call.version(), error -> call.answer(refuse(request, call.version(), error)));
    }

    @Override
    public Message refuse(AddOffsetsToTxnRequest request, short version, ErrorCode error) {
        return new AddOffsetsToTxnResponse().errorCode(error.code());
    }

    /** What a client needs for the transaction and the group. */
    @Override
    public ErrorCode check(Access access, AddOffsetsToTxnRequest request, short version) {
        ErrorCode error = Permissions.transaction(access, Operation.WRITE, request.transactionalId());
        return error == ErrorCode.NONE ? Permissions.group(access, Operation.READ, request.groupId()) : error;
    }
}
