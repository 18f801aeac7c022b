package io.rivulet.broker.api.coordinator;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.group.LongQuestions;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A call that asks a {@link LongQuestions long question}.
 *
 * @param answer answers the call
 * @param answered runs on any thread when the answer to a long question has been encoded, or never will be
 */
record AskingCall<T>(Call call, Consumer<T> answer, Runnable answered) implements LongQuestions.Asker<T> {
    private static final Logger LOG = LoggerFactory.getLogger(AskingCall.class);

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
    public void gone() {
        call.answerNothing();
    }

    @Override
    public void failed(RuntimeException failure) {
        LOG.error("{} failed", call.key(), failure);
        answered.run();
        call.fail("a question failed");
    }
}
