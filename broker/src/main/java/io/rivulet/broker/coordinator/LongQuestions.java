package io.rivulet.broker.coordinator;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Requests that only read, and may read all groups, offsets or transactional ids. A short one is answered at once. Long
 * ones run one at a time, in slices between other work. The next one starts when the answer is encoded, so the data of
 * at most one answer is on the heap.
 *
 * <p>Owned by: the coordinator thread.
 */
public final class LongQuestions {
    /**
     * A request that can be served in slices.
     *
     * @param <T> the type of the answer
     */
    public interface Question<T> {
        /** The approximate number of groups, members, offsets or ids to read. */
        long parts();

        /** Reads up to a thousand further parts. False after the last. */
        boolean goOn();

        /** Once {@link #goOn} has returned false. */
        T answer();
    }

    /** The caller. Exactly one of its methods is called, once, besides {@link #isWaiting}. */
    public interface Asker<T> {
        /** Whether the client still waits for the answer. */
        boolean isWaiting();

        void answer(T answer);

        /**
         * Like {@link #answer}. Afterwards {@link #answered} must be called, when the answer has been encoded or
         * dropped.
         */
        void answerLongQuestion(T answer);

        /** The client no longer waits, so there will be no answer. */
        void abandoned();

        void failed(RuntimeException failure);
    }

    private record Waiting<T>(Question<T> question, Asker<T> asker) {
        /** False after the last slice. */
        boolean goOn() {
            try {
                if (question.goOn()) {
                    return true;
                }
                asker.answerLongQuestion(question.answer());
            } catch (RuntimeException e) {
                asker.failed(e); // it has changed nothing
            }
            return false;
        }
    }

    private static final int SHORT_PARTS = 1000;
    private static final int MAX_WAITING = 1000;
    private static final long TURN_NANOS = 1_000_000;

    private final LongSupplier nanoClock;
    private final Deque<Waiting<?>> waiting = new ArrayDeque<>();
    private @Nullable Waiting<?> current;
    /** An answer was made and has not been encoded yet. */
    private boolean answering;

    LongQuestions(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** Runs all slices now. */
    public static <T> T complete(Question<T> question) {
        while (question.goOn()) {
            // the next slice
        }
        return question.answer();
    }

    /** Answers now or later; false when too many questions wait. */
    public <T> boolean ask(Question<T> question, Asker<T> asker) {
        if (question.parts() <= SHORT_PARTS) {
            asker.answer(complete(question));
            return true;
        }
        return waiting.size() < MAX_WAITING && waiting.add(new Waiting<>(question, asker));
    }

    /** The answer to the last long question has been encoded or dropped. */
    public void answered() {
        answering = false;
    }

    /** Runs slices for a millisecond. False if there was nothing to do. */
    boolean work() {
        long startNanos = nanoClock.getAsLong();
        boolean any = false;
        for (Waiting<?> next = next(); next != null; next = next()) {
            any = true;
            answering = true;
            if (next.goOn()) {
                answering = false;
            } else {
                current = null;
            }
            if (nanoClock.getAsLong() - startNanos >= TURN_NANOS) {
                break;
            }
        }
        return any;
    }

    private @Nullable Waiting<?> next() {
        while (current == null && !answering && !waiting.isEmpty()) {
            Waiting<?> first = waiting.remove();
            if (first.asker.isWaiting()) {
                current = first;
            } else {
                first.asker.abandoned();
            }
        }
        return current;
    }
}
