package io.rivulet.broker.api.txn;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.Permissions;
import io.rivulet.broker.api.Split;
import io.rivulet.broker.api.coordinator.ChangeHandler;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.coordinator.TransactionalOffsets;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.broker.txn.Transactions;
import io.rivulet.protocol.message.TxnOffsetCommitRequest;
import io.rivulet.protocol.message.TxnOffsetCommitRequest.TxnOffsetCommitRequestTopic;
import io.rivulet.protocol.message.TxnOffsetCommitResponse;
import io.rivulet.protocol.message.TxnOffsetCommitResponse.TxnOffsetCommitResponseTopic;
import io.rivulet.protocol.wire.Message;
import java.util.List;

/** Commits offsets of a group as part of a transaction. */
record TxnOffsetCommitHandler(Transactions transactions, TopicCatalogue topics)
        implements ChangeHandler<TxnOffsetCommitRequest> {
    private static final short TOPIC_IDS_FROM_VERSION = 6;

    @Override
    public void handle(Call call, TxnOffsetCommitRequest request) {
        boolean byId = call.version() >= TOPIC_IDS_FROM_VERSION;
        Split<TxnOffsetCommitRequestTopic> split =
                Split.of(request.topics(), topic -> mayCommit(call.access(), topic, byId));
        List<TxnOffsetCommitResponseTopic> denied =
                TransactionalOffsets.refused(split.denied(), ErrorCode.TOPIC_AUTHORIZATION_FAILED);
        if (split.allowed().isEmpty() && !denied.isEmpty()) {
            call.answer(new TxnOffsetCommitResponse().topics(denied));
            return;
        }
        transactions
                .coordinator()
                .commitOffsets(
                        request.topics(split.allowed()),
                        call.version(),
                        response -> call.answer(response.topics(Split.joined(response.topics(), denied))));
    }

    /** An id that is unknown is no topic, so there is no right to ask for. */
    private boolean mayCommit(Access access, TxnOffsetCommitRequestTopic wanted, boolean byId) {
        if (access.isUnlimited()) {
            return true;
        }
        Topic topic = byId ? topics.find(wanted.topicId()) : null;
        return (byId && topic == null) || access.mayTopic(Operation.READ, topic == null ? wanted.name() : topic.name());
    }

    /** What a client needs for the transaction and the group. */
    @Override
    public ErrorCode check(Access access, TxnOffsetCommitRequest request, short version) {
        ErrorCode error = Permissions.transaction(access, Operation.WRITE, request.transactionalId());
        return error == ErrorCode.NONE ? Permissions.group(access, Operation.READ, request.groupId()) : error;
    }

    @Override
    public Message refuse(TxnOffsetCommitRequest request, short version, ErrorCode error) {
        return TransactionalOffsets.refused(request, error);
    }
}
