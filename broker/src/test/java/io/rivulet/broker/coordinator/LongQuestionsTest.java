package io.rivulet.broker.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LongQuestionsTest {
    private static final int LONG = 1_000_000;

    private final List<String> results = new ArrayList<>();
    /** Each read of the clock takes as long as a turn. */
    private long nanos;

    private final LongQuestions questions = new LongQuestions(() -> nanos += 1_000_000);

    /** A question with this number of slices. */
    private static LongQuestions.Question<String> question(String name, long parts, int slices) {
        return new LongQuestions.Question<>() {
            private int left = slices;

            @Override
            public long parts() {
                return parts;
            }

            @Override
            public boolean goOn() {
                return --left > 0;
            }

            @Override
            public String answer() {
                if (left < 0) {
                    throw new IllegalStateException("failed");
                }
                return name;
            }
        };
    }

    private final class Asker implements LongQuestions.Asker<String> {
        private final boolean waiting;

        Asker(boolean waiting) {
            this.waiting = waiting;
        }

        @Override
        public boolean isWaiting() {
            return waiting;
        }

        @Override
        public void answer(String answer) {
            results.add(answer + " at once");
        }

        @Override
        public void answerLongQuestion(String answer) {
            results.add(answer);
        }

        @Override
        public void abandoned() {
            results.add("abandoned");
        }

        @Override
        public void failed(RuntimeException failure) {
            results.add(failure.getMessage());
            questions.answered();
        }
    }

    @Test
    void aShortQuestionIsAnsweredAtOnce() {
        questions.ask(question("long", LONG, 2), new Asker(true));

        questions.ask(question("short", 10, 1), new Asker(true));

        assertThat(results).containsExactly("short at once");
    }

    @Test
    void aLongQuestionRunsOneSliceATurn() {
        questions.ask(question("long", LONG, 3), new Asker(true));

        assertThat(questions.work()).isTrue();
        assertThat(questions.work()).isTrue();
        assertThat(results).isEmpty();
        assertThat(questions.work()).isTrue();
        assertThat(results).containsExactly("long");
    }

    @Test
    void theNextQuestionStartsWhenTheAnswerIsEncoded() {
        questions.ask(question("first", LONG, 1), new Asker(true));
        questions.ask(question("second", LONG, 1), new Asker(true));
        questions.work();

        assertThat(questions.work()).isFalse();
        assertThat(results).containsExactly("first");

        questions.answered();
        questions.work();
        assertThat(results).containsExactly("first", "second");
    }

    @Test
    void disconnectedAskersAreSkippedAndAFailureAffectsOneQuestion() {
        questions.ask(question("abandoned", LONG, 1), new Asker(false));
        questions.ask(question("fails", LONG, 0), new Asker(true));
        questions.ask(question("last", LONG, 1), new Asker(true));

        questions.work();
        questions.work();

        assertThat(results).containsExactly("abandoned", "failed", "last");
    }

    @Test
    void tooManyQuestionsAreRefused() {
        int asked = 0;
        while (asked < 100_000 && questions.ask(question("long", LONG, 1), new Asker(true))) {
            asked++;
        }
        assertThat(asked).isEqualTo(1000);
    }
}
