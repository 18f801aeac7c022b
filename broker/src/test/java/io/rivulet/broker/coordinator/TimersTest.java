package io.rivulet.broker.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

final class TimersTest {
    @Test
    void eachTimerRunsOnceAtTheTimeSetLast() {
        long seed = Long.getLong("rivulet.seed", ThreadLocalRandom.current().nextLong());
        Random random = new Random(seed);
        Timers timers = new Timers();
        List<Integer> ran = new ArrayList<>();
        Timers.Timer[] all = new Timers.Timer[200];
        for (int i = 0; i < all.length; i++) {
            int number = i;
            all[i] = timers.timer(() -> ran.add(number));
        }
        Map<Integer, Long> due = new HashMap<>();
        // A monotonic clock may start anywhere, and wraps around.
        long now = Long.MAX_VALUE - 50_000;
        for (int step = 0; step < 20_000; step++) {
            int i = random.nextInt(all.length);
            if (random.nextInt(10) == 0) {
                all[i].cancel();
                due.remove(i);
            } else {
                long when = now + 1 + random.nextInt(1000);
                all[i].set(when);
                due.put(i, when);
            }
            now += random.nextInt(20);
            long at = now;
            List<Integer> expected = due.entrySet().stream()
                    .filter(one -> one.getValue() - at <= 0)
                    .map(Map.Entry::getKey)
                    .toList();
            timers.run(at);
            assertThat(ran).as("-Drivulet.seed=" + seed).containsExactlyInAnyOrderElementsOf(expected);
            assertThat(timers.size()).isEqualTo(due.size() - expected.size());
            ran.clear();
            expected.forEach(due::remove);
        }
    }
}
