package io.rivulet.broker.api.coordinator;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.coordinator.LongQuestions;
import java.util.function.Consumer;

/**
 * A call that asks a {@link LongQuestions long question}.
 *
 * @param answer answers the call
 * @param answered runs on any thread when the answer to a long question is encoded or discarded
 */
record AskingCall<T>(Call call, Consumer<T> answer, Runnable answered) implements LongQuestions.Asker<T> {
    @Override
    public boolean isWaiting() {
        return call.origin().isOpen();
    }

    @Override
    public void answer(T made) {
        answer.accept(made);
    }

    @Override
    public void answerLongQuestion(T made) {
        call.whenEnded(answered);
        answer.accept(made);
    }

    @Override
    public void abandoned() {
        call.discard();
    }

    @Override
    public void failed(RuntimeException failure) {
        answered.run();
        call.fail(failure);
    }
}
