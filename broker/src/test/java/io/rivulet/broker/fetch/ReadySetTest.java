package io.rivulet.broker.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Compares the set with a plain one, also while other threads set members and its owner clears them. */
final class ReadySetTest {
    private final long seed = Long.getLong("rivulet.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @Test
    void itHasTheMembersOfAPlainSet() {
        ReadySet set = new ReadySet();
        BitSet model = new BitSet();
        int size = 0;
        for (int step = 0; step < 200_000; step++) {
            if (step % 1000 == 0) {
                size = Math.max(size, 1 + random.nextInt(1 << (1 + random.nextInt(20))));
                set.grow(size);
            }
            int member = random.nextInt(4) == 0 ? random.nextInt(size) : random.nextInt(Math.min(size, 200));
            if (random.nextBoolean()) {
                set.set(member);
                model.set(member);
            } else {
                set.clear(member);
                model.clear(member);
            }
            int from = random.nextInt(size);
            assertThat(set.next(from)).as("from %d, seed %d", from, seed).isEqualTo(model.nextSetBit(from));
        }
    }

    @Test
    void noMemberThatIsSetDuringAClearIsLost() throws Exception {
        int size = 10_000;
        int rounds = 300_000;
        ReadySet set = new ReadySet();
        set.grow(size);
        long[] signals = new long[size];
        CountDownLatch ended = new CountDownLatch(1);
        Thread setter = new Thread(() -> {
            Random members = new Random(seed);
            for (int i = 0; i < rounds; i++) {
                int member = members.nextInt(members.nextBoolean() ? 3 : size);
                synchronized (signals) {
                    signals[member]++;
                }
                set.set(member);
            }
            ended.countDown();
        });
        setter.start();
        long taken = 0;
        boolean last;
        do {
            last = ended.getCount() == 0;
            for (int member = set.next(0); member >= 0; member = set.next(member + 1)) {
                set.clear(member);
                synchronized (signals) {
                    taken += signals[member];
                    signals[member] = 0;
                }
            }
        } while (!last);
        setter.join();

        assertThat(taken).as("seed %d", seed).isEqualTo(rounds);
        assertThat(set.next(0)).isEqualTo(-1);
    }
}
