package io.rivulet.broker.api.txn;

import io.rivulet.broker.api.coordinator.ChangeHandler;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.coordinator.TransactionalOffsets;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.txn.Transactions;
import io.rivulet.protocol.message.TxnOffsetCommitRequest;
import io.rivulet.protocol.wire.Message;

/** Commits offsets of a group as part of a transaction. */
record TxnOffsetCommitHandler(Transactions transactions) implements ChangeHandler<TxnOffsetCommitRequest> {
    @Override
    public void handle(Call call, TxnOffsetCommitRequest request) {
        transactions.coordinator().commitOffsets(request, call.version(), call::answer);
    }

    @Override
    public Message refuse(TxnOffsetCommitRequest request, short version, ErrorCode error) {
        return TransactionalOffsets.refused(request, error);
    }
}
