package io.rivulet.prove.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.prove.load.PlainLoad.Seen;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The checkers of the loads find planted bugs, and nothing else. */
final class LoadsTest {
    private static final List<Seen> WRITTEN = List.of(new Seen(0, "0-0"), new Seen(1, "0-1"), new Seen(2, "0-2"));
    private static final Map<String, Long> LAST = Map.of("k1", 7L, "k2", 8L);

    /** What a broker may do to the records of an idempotent producer. */
    @SuppressWarnings("ImmutableEnumChecker") // the functions have no state
    private enum PlainBug {
        LOSES_THE_LAST(read -> read.remove(2)),
        LOSES_ONE_IN_THE_MIDDLE(read -> read.remove(1)),
        STORES_ONE_TWICE(read -> read.add(new Seen(3, "0-2"))),
        SWAPS_TWO(read -> Collections.swap(read, 0, 1)),
        SERVES_ANOTHER_VALUE(read -> read.set(1, new Seen(1, "1-1"))),
        MOVES_THEM(read -> read.replaceAll(seen -> new Seen(seen.offset() + 1, seen.value())));

        private final Consumer<List<Seen>> change;

        PlainBug(Consumer<List<Seen>> change) {
            this.change = change;
        }
    }

    @ParameterizedTest
    @EnumSource
    void aBugWithPlainRecordsIsCaught(PlainBug bug) {
        List<Seen> read = new ArrayList<>(WRITTEN);
        assertThat(PlainLoad.differences("p", WRITTEN, read)).isEmpty();

        bug.change.accept(read);

        assertThat(PlainLoad.differences("p", WRITTEN, read)).isNotEmpty();
    }

    /** All were acknowledged, but one at an offset that another one has. */
    @Test
    void anAcknowledgementWithAWrongOffsetIsCaught() {
        List<Seen> wrong = List.of(WRITTEN.get(0), new Seen(5, "0-1"), WRITTEN.get(2));

        assertThat(PlainLoad.differences("p", wrong, WRITTEN)).isNotEmpty();
    }

    @Test
    void aCommittedOffsetThatGoesBackOrWasNeverSentIsCaught() {
        assertThat(CommitLoad.complaint(7, 7, 7)).isNull();
        assertThat(CommitLoad.complaint(8, 7, 8))
                .as("not acknowledged, and there")
                .isNull();

        assertThat(CommitLoad.complaint(6, 7, 7)).isNotNull();
        assertThat(CommitLoad.complaint(-1, 7, 7)).isNotNull();
        assertThat(CommitLoad.complaint(9, 7, 8)).isNotNull();
    }

    @Test
    void aKeyThatIsLostOrOldIsCaught() {
        assertThat(KeyLoad.differences(LAST, LAST)).isEmpty();

        assertThat(KeyLoad.differences(LAST, Map.of("k1", 7L))).isNotEmpty();
        assertThat(KeyLoad.differences(LAST, Map.of("k1", 7L, "k2", 6L))).isNotEmpty();
        assertThat(KeyLoad.differences(LAST, Map.of("k1", 7L, "k2", 8L, "k3", 9L)))
                .isNotEmpty();
    }
}
