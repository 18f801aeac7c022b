package io.rivulet.broker.coordinator;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Requests that change nothing and may look at all groups, offsets or transactional ids. A short one is answered at once. Of the long
 * ones, the thread of the groups works on one at a time, in slices between which it does everything else, until the answer is encoded:
 * so what answers are made of is on the heap once.
 *
 * <p>Owned by: the thread that owns the groups.
 */
public final class LongQuestions {
    /**
     * A request of which a part can be done now, and the rest later.
     *
     * @param <T> what the answer is made of
     */
    public interface Question<T> {
        /** How many groups, members, offsets or ids it looks at, about. */
        long parts();

        /** Looks at the next thousand parts or less. False when those were the last. */
        boolean goOn();

        /** Once {@link #goOn} has returned false. */
        T answer();
    }

    /** Who asks. One of these is called, but the first, and once. */
    public interface Asker<T> {
        /** Whether anybody still waits for the answer. */
        boolean isWaiting();

        void answer(T answer);

        /** The same; and {@link #answered} is called when the answer is encoded, or never will be. */
        void answerLongQuestion(T answer);

        /** Nobody waits any more. */
        void gone();

        void failed(RuntimeException failure);
    }

    private record Waiting<T>(Question<T> question, Asker<T> asker) {
        /** False when it is done. */
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
    /** An answer has been made, and is not encoded yet. */
    private boolean answering;

    LongQuestions(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** All of it now. */
    public static <T> T complete(Question<T> question) {
        while (question.goOn()) {
            // the next slice
        }
        return question.answer();
    }

    /** Answers now or later; false when too many wait. */
    public <T> boolean ask(Question<T> question, Asker<T> asker) {
        if (question.parts() <= SHORT_PARTS) {
            asker.answer(complete(question));
            return true;
        }
        return waiting.size() < MAX_WAITING && waiting.add(new Waiting<>(question, asker));
    }

    /** The answer to the last long question has been encoded, or never will be. */
    public void answered() {
        answering = false;
    }

    /** Works for a millisecond. False when there was nothing to do. */
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
                first.asker.gone();
            }
        }
        return current;
    }
}
