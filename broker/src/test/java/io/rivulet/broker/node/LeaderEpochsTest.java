package io.rivulet.broker.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.error.ErrorCode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What requests may say of the epoch of the leader. */
final class LeaderEpochsTest {
    @ParameterizedTest
    @CsvSource({
        "7, -1, NONE, false",
        "7, 7, NONE, true",
        "7, 6, FENCED_LEADER_EPOCH, true",
        "7, 0, FENCED_LEADER_EPOCH, true",
        "7, -2, FENCED_LEADER_EPOCH, false",
        "7, 8, UNKNOWN_LEADER_EPOCH, false",
        "7, 2147483647, UNKNOWN_LEADER_EPOCH, false",
        "0, 0, NONE, true",
        "0, 1, UNKNOWN_LEADER_EPOCH, false",
    })
    void anEpochIsComparedWithThatOfTheLeader(int current, int asked, ErrorCode error, boolean known) {
        LeaderEpochs epochs = new LeaderEpochs(current);

        assertThat(epochs.check(asked)).isEqualTo(error);
        assertThat(epochs.isKnown(asked)).isEqualTo(known);
    }
}
