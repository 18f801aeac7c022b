package io.rivulet.broker.group.offset;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.protocol.wire.Uuid;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

final class CommittedOffsetsTest {
    private record Key(int group, int topic, int partition) {}

    @Test
    void twoGroupsAgreeWithAMap() {
        long seed = Long.getLong("rivulet.seed", ThreadLocalRandom.current().nextLong());
        Random random = new Random(seed);
        TopicNumbers topics = new TopicNumbers();
        CommittedOffsets[] groups = {new CommittedOffsets(topics), new CommittedOffsets(topics)};
        Map<Key, String> model = new HashMap<>();
        for (int i = 0; i < 40_000; i++) {
            int span = i < 20_000 ? 60 : 6; // grows, and then mostly shrinks
            Key key = new Key(random.nextInt(2), random.nextInt(60), random.nextInt(60));
            CommittedOffsets group = groups[key.group];
            if (random.nextInt(60) < span) {
                long offset = random.nextLong();
                String text = random.nextInt(3) == 0 ? "text" + i : "";
                group.put(topic(key.topic), key.partition, offset, i % 3 - 1, text, 1_700_000_000_999L);
                model.put(key, offset + " " + (i % 3 - 1) + " " + text + " 1700000000000");
            } else {
                group.remove(topic(key.topic), key.partition);
                model.remove(key);
            }
        }

        assertThat(groups[0].count() + groups[1].count())
                .as("-Drivulet.seed=" + seed)
                .isEqualTo(model.size());
        assertThat(dump(groups)).as("-Drivulet.seed=" + seed).isEqualTo(model);
        model.forEach((key, value) -> assertThat(groups[key.group].row(topic(key.topic), key.partition))
                .isNotEqualTo(CommittedOffsets.NONE));
        groups[0].clear();
        groups[1].clear();
        assertThat(topics.count()).isZero();
        assertThat(groups[0].count()).isZero();
    }

    @Test
    void anIterationVisitsEachRowThatExistsThroughout() {
        CommittedOffsets offsets = new CommittedOffsets(new TopicNumbers());
        for (int partition = 0; partition < 100; partition++) {
            offsets.put(topic(1), partition, partition, 0, "", 0);
        }

        int met = 0;
        for (int row = 0; row < offsets.limit(); row++) {
            if (offsets.exists(row) && offsets.topicId(row).equals(topic(1)) && offsets.partition(row) % 2 == 1) {
                met++;
            }
            offsets.remove(topic(1), (row + 37) % 50 * 2);
            offsets.put(topic(2), row, 1, 0, "", 0);
            if (offsets.limit() > 500) {
                break;
            }
        }

        assertThat(met).isEqualTo(50);
    }

    @Test
    void anOffsetTakesAtMost64Bytes() {
        CommittedOffsets offsets = new CommittedOffsets(new TopicNumbers());
        for (int i = 0; i < 100_000; i++) {
            offsets.put(topic(i / 1000), i % 1000, i, 0, "", 0);
        }

        // This is the counted size. The measured size is smaller; see bench/results.
        assertThat(offsets.heapBytes()).isLessThanOrEqualTo(64L * 126_000);
    }

    private static Map<Key, String> dump(CommittedOffsets[] groups) {
        Map<Key, String> results = new HashMap<>();
        for (int group = 0; group < groups.length; group++) {
            CommittedOffsets offsets = groups[group];
            for (int row = 0; row < offsets.limit(); row++) {
                if (offsets.exists(row)) {
                    results.put(
                            new Key(group, (int) offsets.topicId(row).leastSignificantBits(), offsets.partition(row)),
                            offsets.offset(row) + " " + offsets.leaderEpoch(row) + " " + offsets.text(row) + " "
                                    + offsets.commitMillis(row));
                }
            }
        }
        return results;
    }

    private static Uuid topic(int number) {
        return new Uuid(4711, number);
    }
}
