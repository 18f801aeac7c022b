package io.rivulet.broker.acl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

final class DecisionCacheTest {
    private final DecisionCache cache = new DecisionCache();

    /** Far more questions than places, so most places are shared. */
    @Test
    void aPlaceIsSharedButADecisionIsNot() {
        int found = 0;
        for (int round = 0; round < 2; round++) {
            Random questions = new Random(1);
            for (int i = 0; i < 100_000; i++) {
                int connection = questions.nextInt(100);
                int epoch = questions.nextInt(2);
                int kind = questions.nextInt(8);
                int name = questions.nextInt(100);
                int operations = connection ^ epoch << 7 ^ kind << 8 ^ name << 11;
                int known = cache.get(connection, epoch, kind, "topic-" + name);
                assertThat(known).isIn(DecisionCache.UNKNOWN, operations);
                found += known == operations ? 1 : 0;
                cache.put(connection, epoch, kind, "topic-" + name, operations);
            }
        }
        assertThat(found).isPositive();
    }

    @Test
    void questionsOfOtherKindsAreOthers() {
        for (int kind = 0; kind < 200_000; kind++) {
            cache.put(1, 1, kind, "orders", kind);
        }
        for (int kind = 0; kind < 200_000; kind++) {
            assertThat(cache.get(1, 1, kind, "orders")).isIn(DecisionCache.UNKNOWN, kind);
        }
    }

    @Test
    void longNamesAreNotKept() {
        cache.put(1, 1, 1, "x".repeat(257), 5);
        cache.put(1, 1, 1, "x".repeat(249), 6);

        assertThat(cache.get(1, 1, 1, "x".repeat(257))).isEqualTo(DecisionCache.UNKNOWN);
        assertThat(cache.get(1, 1, 1, "x".repeat(249))).isEqualTo(6);
    }
}
