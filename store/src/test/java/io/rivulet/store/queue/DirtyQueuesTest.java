package io.rivulet.store.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.Store;
import java.util.SplittableRandom;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class DirtyQueuesTest {
    @Test
    void findsAcrossWordsSummariesAndChunks() {
        DirtyQueues dirty = new DirtyQueues();
        int[] ids = {0, 63, 64, 4095, 4096, 65_535, 65_536, 300_000, Store.MAX_QUEUE_ID - 1};
        for (int id : ids) {
            dirty.set(id);
        }
        int from = 0;
        for (int id : ids) {
            assertThat(dirty.nextSet(from)).isEqualTo(id);
            from = id + 1;
        }
        assertThat(dirty.nextSet(from)).isEqualTo(-1);
    }

    @Property(tries = 200)
    void agreesWithASortedSet(@ForAll long seed) {
        DirtyQueues dirty = new DirtyQueues();
        TreeSet<Integer> model = new TreeSet<>();
        SplittableRandom random = new SplittableRandom(seed);
        int range = 1 << random.nextInt(1, 19);
        for (int i = 0; i < 1000; i++) {
            int id = random.nextInt(range);
            switch (random.nextInt(3)) {
                case 0 -> {
                    dirty.set(id);
                    model.add(id);
                }
                case 1 -> {
                    dirty.clear(id);
                    model.remove(id);
                }
                default -> {
                    Integer next = model.ceiling(id);
                    assertThat(dirty.nextSet(id)).isEqualTo(next == null ? -1 : next);
                    assertThat(dirty.isSet(id)).isEqualTo(model.contains(id));
                }
            }
        }
    }
}
