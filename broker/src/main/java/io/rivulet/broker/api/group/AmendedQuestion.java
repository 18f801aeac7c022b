package io.rivulet.broker.api.group;

import io.rivulet.broker.coordinator.LongQuestions.Question;
import java.util.function.Consumer;

/**
 * A question whose answer is amended. Owned by: the coordinator thread.
 *
 * @param amendment fills fields of the answer that the groups don't know
 */
record AmendedQuestion<T>(Question<T> question, Consumer<T> amendment) implements Question<T> {
    @Override
    public long parts() {
        return question.parts();
    }

    @Override
    public boolean goOn() {
        return question.goOn();
    }

    @Override
    public T answer() {
        T answer = question.answer();
        amendment.accept(answer);
        return answer;
    }
}
