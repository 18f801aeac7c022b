package io.rivulet.broker.api.txn;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.api.coordinator.QuestionHandler;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.LongAnswers;
import io.rivulet.broker.coordinator.LongQuestions.Question;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.txn.Transactions;
import io.rivulet.protocol.message.ListTransactionsRequest;
import io.rivulet.protocol.message.ListTransactionsResponse;
import io.rivulet.protocol.wire.Message;
import java.util.function.LongSupplier;

/** Lists transactional ids. */
record ListTransactionsHandler(Transactions transactions, LongAnswers longAnswers, LongSupplier stampMillis)
        implements QuestionHandler<ListTransactionsRequest, LongAnswers.Maker> {
    @Override
    public Question<LongAnswers.Maker> question(ListTransactionsRequest request, short version, Access access) {
        return new TransactionListing(request, version, access, transactions, stampMillis);
    }

    @Override
    public void answer(Call call, LongAnswers.Maker answer) {
        longAnswers.make(call, 0, answer);
    }

    @Override
    public Message refuse(ListTransactionsRequest request, short version, ErrorCode error) {
        return new ListTransactionsResponse().errorCode(error.code());
    }
}
