package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.it.ShareHistory.Answer;
import io.rivulet.it.ShareHistory.Delivery;
import io.rivulet.it.ShareHistory.Ending;
import io.rivulet.it.ShareHistory.Letter;
import io.rivulet.it.ShareHistory.Outcome;
import io.rivulet.it.ShareHistory.Place;
import io.rivulet.it.ShareHistory.Span;
import io.rivulet.it.ShareHistory.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The checker of share groups finds each bug of a small simulated broker, and nothing in one without bugs. */
final class ShareHistoryCheckIT {
    private static final long SEED = Long.getLong("rivulet.seed", System.nanoTime());
    private static final int LIMIT = 4;
    private static final long LOCK_MILLIS = 60_000;

    /** The bugs of the simulated broker. */
    private enum Bug {
        NONE,
        FORGETS_AN_ACCEPTANCE,
        LETS_TWO_ACCEPT,
        COUNTS_ONE_TOO_MANY,
        FORGETS_A_RELEASE_IN_THE_COUNT,
        GOES_ON_BEYOND_THE_LIMIT,
        GIVES_A_RECORD_TO_TWO,
        KEEPS_THE_LOCK_OF_A_MEMBER_THAT_LEFT,
        REFUSES_A_HOLDER,
        SHOWS_AN_OPEN_TRANSACTION,
        SHOWS_AN_ABORTED_TRANSACTION,
        SWAPS_TWO_VALUES,
        LOSES_A_LETTER,
        LOSES_A_LETTER_IN_A_CRASH,
        WRITES_A_LETTER_TWICE,
        WRITES_A_LETTER_ABOUT_AN_ACCEPTED_RECORD,
        SWAPS_TWO_LETTERS
    }

    @ParameterizedTest
    @EnumSource(Bug.class)
    void eachBugIsFound(Bug bug) {
        List<String> violations = new LittleBroker(new Random(SEED), bug).run().violations();

        if (bug == Bug.NONE) {
            assertThat(violations).as("seed %d", SEED).isEmpty();
        } else {
            assertThat(violations).as("seed %d", SEED).isNotEmpty();
        }
    }

    @Test
    void withoutABugNothingIsFoundForManySeeds() {
        Random seeds = new Random(SEED);
        for (int i = 0; i < 200; i++) {
            assertThat(new LittleBroker(new Random(seeds.nextLong()), Bug.NONE)
                            .run()
                            .violations())
                    .as("seed %d, %d", SEED, i)
                    .isEmpty();
        }
    }

    /** Delivers each record until it is accepted, rejected, or was delivered too often. The bug strikes once. */
    private static final class LittleBroker {
        private static final int RECORDS = 40;
        private static final int STRIKES_AT = 20;
        private static final int MEMBERS = 3;

        private final Random random;
        private final Bug bug;
        private final ShareHistory history = new ShareHistory(LOCK_MILLIS, LIMIT);
        private final List<Letter> letters = new ArrayList<>();

        LittleBroker(Random random, Bug bug) {
            this.random = random;
            this.bug = bug;
        }

        ShareHistory run() {
            for (int i = 0; i < RECORDS; i++) {
                record(i, i == STRIKES_AT ? bug : Bug.NONE);
            }
            history.letters(letters);
            return history;
        }

        private void record(int number, Bug strikes) {
            Place place = new Place(number % 2, number);
            String value = "v" + number;
            Span write = history.begin();
            if (strikes == Bug.SHOWS_AN_OPEN_TRANSACTION) {
                deliver(0, place, value, 1);
            }
            if (strikes == Bug.SHOWS_AN_ABORTED_TRANSACTION) {
                history.aborted(value, history.end(write));
                deliver(0, place, value, 1);
                return;
            }
            write = history.end(strikes == Bug.SHOWS_AN_OPEN_TRANSACTION ? history.begin() : write);
            history.written(value, write);
            if (strikes == Bug.KEEPS_THE_LOCK_OF_A_MEMBER_THAT_LEFT) {
                deliver(0, place, value, 1);
                history.left(0, history.end(history.begin()));
                return; // nobody gets it any more
            }
            List<Integer> holders = new ArrayList<>();
            boolean over = false;
            for (int count = 1; count <= LIMIT && !over; count++) {
                int member = random.nextInt(MEMBERS);
                boolean damaged = strikes != Bug.NONE && count == 2;
                over = damaged ? damage(strikes, member, place, value) : deal(member, place, value, count);
                holders.add(member);
                if (strikes != Bug.NONE && count == 1 && over) {
                    damage(strikes, member, place, value);
                }
            }
            if (!over) {
                letters.add(new Letter(place, value, Ending.EXHAUSTED));
            }
            assertThat(holders).isNotEmpty();
        }

        /** One delivery and what the member makes of it. True if the record is finished. */
        private boolean deal(int member, Place place, String value, int count) {
            deliver(member, place, value, count);
            int dice = bug == Bug.NONE ? random.nextInt(8) : 2; // with a bug, the record is released at first
            if (dice == 0) {
                history.left(member, history.end(history.begin()));
                return false;
            }
            if (dice == 1) {
                history.killed(history.end(history.begin()));
                return false;
            }
            Verdict verdict = dice < 5 ? Verdict.RELEASE : dice == 5 ? Verdict.REJECT : Verdict.ACCEPT;
            answer(member, place, verdict, Outcome.DONE);
            if (verdict == Verdict.REJECT) {
                letters.add(new Letter(place, value, Ending.REJECTED));
            }
            return verdict != Verdict.RELEASE;
        }

        private boolean damage(Bug strikes, int member, Place place, String value) {
            int other = (member + 1) % MEMBERS;
            switch (strikes) {
                case FORGETS_AN_ACCEPTANCE -> {
                    deliver(member, place, value, 2);
                    answer(member, place, Verdict.ACCEPT, Outcome.DONE);
                    deliver(other, place, value, 3);
                    answer(other, place, Verdict.RELEASE, Outcome.DONE);
                }
                case LETS_TWO_ACCEPT -> {
                    deliver(member, place, value, 2);
                    answer(member, place, Verdict.ACCEPT, Outcome.DONE);
                    answer(member, place, Verdict.ACCEPT, Outcome.DONE);
                }
                case COUNTS_ONE_TOO_MANY -> deliver(member, place, value, 3);
                case FORGETS_A_RELEASE_IN_THE_COUNT -> deliver(member, place, value, 1);
                case GOES_ON_BEYOND_THE_LIMIT -> {
                    for (int count = 2; count <= LIMIT + 1; count++) {
                        deliver(member, place, value, count);
                        answer(member, place, Verdict.RELEASE, Outcome.DONE);
                    }
                }
                case GIVES_A_RECORD_TO_TWO -> {
                    deliver(member, place, value, 2);
                    deliver(other, place, value, 3);
                    answer(other, place, Verdict.ACCEPT, Outcome.DONE);
                }
                case REFUSES_A_HOLDER -> {
                    deliver(member, place, value, 2);
                    answer(member, place, Verdict.ACCEPT, Outcome.REFUSED);
                }
                case SWAPS_TWO_VALUES -> deliver(member, place, "v0", 2);
                case LOSES_A_LETTER -> reject(member, place, value);
                case LOSES_A_LETTER_IN_A_CRASH -> {
                    deliver(member, place, value, 2);
                    answer(member, place, Verdict.REJECT, Outcome.UNKNOWN);
                    history.killed(history.end(history.begin()));
                }
                case WRITES_A_LETTER_TWICE -> {
                    reject(member, place, value);
                    letters.add(new Letter(place, value, Ending.REJECTED));
                    letters.add(new Letter(place, value, Ending.REJECTED));
                }
                case WRITES_A_LETTER_ABOUT_AN_ACCEPTED_RECORD -> {
                    deliver(member, place, value, 2);
                    answer(member, place, Verdict.ACCEPT, Outcome.DONE);
                    letters.add(new Letter(place, value, Ending.REJECTED));
                }
                case SWAPS_TWO_LETTERS -> {
                    reject(member, place, value);
                    letters.add(new Letter(place, "v0", Ending.REJECTED));
                }
                default -> {} // struck before
            }
            return true;
        }

        private void reject(int member, Place place, String value) {
            deliver(member, place, value, 2);
            answer(member, place, Verdict.REJECT, Outcome.DONE);
        }

        private void deliver(int member, Place place, String value, int count) {
            history.delivered(new Delivery(member, place, value, count, history.end(history.begin())));
        }

        private void answer(int member, Place place, Verdict verdict, Outcome outcome) {
            history.answered(new Answer(member, place, verdict, outcome, history.end(history.begin())));
        }
    }
}
