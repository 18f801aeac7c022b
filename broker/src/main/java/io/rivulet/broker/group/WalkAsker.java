package io.rivulet.broker.group;

import io.rivulet.broker.coordinator.LongQuestions;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Receives the result of an {@link OffsetWalk}; null if it has failed. Owned by: the coordinator thread. */
record WalkAsker<T>(LongQuestions questions, Consumer<@Nullable T> done) implements LongQuestions.Asker<T> {
    private static final Logger LOG = LoggerFactory.getLogger(WalkAsker.class);

    @Override
    public boolean isWaiting() {
        return true;
    }

    @Override
    public void answer(T answer) {
        done.accept(answer);
    }

    @Override
    public void answerLongQuestion(T answer) {
        questions.answered();
        done.accept(answer);
    }

    @Override
    public void abandoned() {
        done.accept(null);
    }

    @Override
    public void failed(RuntimeException failure) {
        questions.answered();
        failedAtOnce(failure);
    }

    /** The walk was short, so it was no long question. */
    void failedAtOnce(RuntimeException failure) {
        LOG.warn("Offsets of groups can't be read", failure);
        done.accept(null);
    }
}
