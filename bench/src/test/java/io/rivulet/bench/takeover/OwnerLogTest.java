package io.rivulet.bench.takeover;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalTime;
import java.time.temporal.ChronoField;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class OwnerLogTest {
    private static final String TAKEN = """
            23:59:58.100 INFO  ShardHost - shard 0: epoch 4, the owner before: Incarnation[brokerId=1, process=7]
            23:59:58.900 INFO  StartReplay - Replaying the log: 10 % of 300 MiB, 120 MiB/s
            00:00:00.650 INFO  SharedShard - This broker serves the shard, epoch 4, 2600 ms after it had no owner: \
            claim 50, fence 230, load 1804, wait 516, serve 3
            """;

    private static long at(String time) {
        return LocalTime.parse(time).getLong(ChronoField.MILLI_OF_DAY);
    }

    @Test
    void stepsCountFromTheEndOfTheOwnerAlsoOverMidnight() {
        Map<Step, Double> steps = OwnerLog.of(TAKEN).steps(at("23:59:50.000"));

        assertThat(steps).containsEntry(Step.MISSED, 8_100.0).containsEntry(Step.SERVED, 2_550.0);
    }

    @Test
    void aBrokerSaysHowLongItsStepsTook() {
        assertThat(OwnerLog.of(TAKEN).steps(at("23:59:50.000")))
                .containsEntry(Step.CLAIMED, 50.0)
                .containsEntry(Step.FENCED, 230.0)
                .containsEntry(Step.LOADED, 1_804.0)
                .containsEntry(Step.WAITED, 516.0);
    }

    @Test
    void aTakeoverThatFailedIsFollowedByAnother() {
        String failed = """
                23:59:57.000 INFO  ShardHost - shard 0: epoch 3, the owner before: null
                java.io.IOException: the bookies do not answer
                """;

        assertThat(OwnerLog.of(failed + TAKEN).steps(at("23:59:50.000"))).containsEntry(Step.MISSED, 8_100.0);
        assertThat(OwnerLog.of(failed).steps(at("23:59:50.000"))).isEmpty();
    }
}
