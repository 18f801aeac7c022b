package io.rivulet.broker.api.coordinator;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Refusal;
import io.rivulet.broker.coordinator.LongQuestions.Question;
import io.rivulet.protocol.wire.Message;

/**
 * Serves an API that changes nothing and may read all groups or transactions. Runs on the thread that owns them.
 *
 * @param <A> the data of the answer
 */
public interface QuestionHandler<T extends Message, A> extends Refusal<T> {
    Question<A> question(T request, short version, Access access);

    void answer(Call call, A answer);
}
