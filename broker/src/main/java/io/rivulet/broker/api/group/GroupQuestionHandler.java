package io.rivulet.broker.api.group;

import io.rivulet.broker.api.coordinator.QuestionHandler;
import io.rivulet.broker.call.Call;
import io.rivulet.protocol.wire.Message;

/** Serves an API that reads groups. Runs on the thread that owns them. */
interface GroupQuestionHandler<T extends Message, A extends Message> extends QuestionHandler<T, A> {
    GroupAnswers answers();

    @Override
    default void answer(Call call, A answer) {
        answers().answer(call, answer);
    }
}
