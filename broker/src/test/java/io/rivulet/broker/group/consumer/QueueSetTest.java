package io.rivulet.broker.group.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Compares sets of queues with sets of integers. */
final class QueueSetTest {
    private static final int ROUNDS = 3000;

    private final long seed = Long.getLong("rivulet.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @Test
    void setOperationsAgreeWithTheModel() {
        for (int round = 0; round < ROUNDS; round++) {
            SortedSet<Integer> a = someIntegers();
            SortedSet<Integer> b = someIntegers();
            TreeSet<Integer> union = new TreeSet<>(a);
            union.addAll(b);
            TreeSet<Integer> minus = new TreeSet<>(a);
            minus.removeAll(b);
            TreeSet<Integer> both = new TreeSet<>(a);
            both.retainAll(b);
            assertThat(integers(set(a).union(set(b)))).as("seed %s", seed).isEqualTo(union);
            assertThat(integers(set(a).minus(set(b)))).as("seed %s", seed).isEqualTo(minus);
            assertThat(integers(set(a).intersect(set(b)))).as("seed %s", seed).isEqualTo(both);
            assertThat(set(a).containsAll(set(b))).as("seed %s", seed).isEqualTo(a.containsAll(b));
            assertThat(set(union).size()).isEqualTo(union.size());
            assertThat(set(a).union(set(b))).isEqualTo(set(union));
            for (int i = -1; i < 70; i++) {
                assertThat(set(a).contains(i)).as("seed %s", seed).isEqualTo(a.contains(i));
            }
        }
    }

    /** One has many more ranges than the other, which is searched for in them. */
    @Test
    void fewRangesAreCutOutOfMany() {
        for (int round = 0; round < ROUNDS; round++) {
            TreeSet<Integer> many = new TreeSet<>();
            for (int i = 0; i < 400; i++) {
                many.add(random.nextInt(1000));
            }
            SortedSet<Integer> few = new TreeSet<>();
            for (int i = random.nextInt(4); i >= 0; i--) {
                int from = random.nextInt(1100);
                for (int id = from; id < from + 1 + random.nextInt(60); id++) {
                    few.add(id);
                }
            }
            TreeSet<Integer> both = new TreeSet<>(many);
            both.retainAll(few);

            assertThat(set(few).intersect(set(many))).as("seed %s", seed).isEqualTo(set(both));
            assertThat(set(many).intersect(set(few))).as("seed %s", seed).isEqualTo(set(both));
        }
    }

    @Test
    void aSetIsSplitInOrder() {
        for (int round = 0; round < ROUNDS; round++) {
            SortedSet<Integer> all = someIntegers();
            int[] sizes = new int[1 + random.nextInt(6)];
            int left = all.size();
            for (int i = 0; i < sizes.length - 1; i++) {
                sizes[i] = random.nextInt(left + 1);
                left -= sizes[i];
            }
            sizes[sizes.length - 1] = left;
            TreeSet<Integer> rest = new TreeSet<>(all);
            for (QueueSet part : set(all).split(sizes)) {
                TreeSet<Integer> expected = new TreeSet<>();
                for (int i = 0; i < part.size(); i++) {
                    expected.add(rest.pollFirst());
                }
                assertThat(integers(part)).as("seed %s", seed).isEqualTo(expected);
            }
            assertThat(rest).as("seed %s", seed).isEmpty();
            int count = random.nextInt(all.size() + 2);
            assertThat(set(all).first(count).union(set(all).last(all.size() - count)))
                    .as("seed %s", seed)
                    .isEqualTo(set(all));
        }
    }

    @Test
    void anEncodedSetIsDecoded() {
        for (int round = 0; round < ROUNDS; round++) {
            QueueSet set = set(someIntegers());
            ByteBuffer bytes = ByteBuffer.allocate(set.encodedBytes());
            set.encode(bytes);
            assertThat(QueueSet.decode(bytes.flip())).as("seed %s", seed).isEqualTo(set);
            assertThat(bytes.hasRemaining()).isFalse();
        }
    }

    /** The log of a broker has these bytes, so they must not change. */
    @Test
    void aSetHasItsFixedBytes() {
        ByteBuffer bytes = ByteBuffer.allocate(100);

        QueueSet.range(5, 1).union(QueueSet.range(300, 128)).encode(bytes);

        assertThat(HexFormat.of().formatHex(bytes.array(), 0, bytes.position())).isEqualTo("02" + "0500" + "a6027f");
        assertThat(QueueSet.decode(bytes.flip())).hasToString("{5 300..427}");
    }

    @Test
    void aRangeOfAMillionTakesAFewBytes() {
        ByteBuffer bytes = ByteBuffer.allocate(100);
        QueueSet.range(1_000_000, 1_000_000).encode(bytes);
        assertThat(bytes.position()).isLessThan(10);
    }

    @Test
    void ownedQueuesAgreeWithTheModel() {
        OwnedQueues owned = new OwnedQueues();
        TreeSet<Integer> model = new TreeSet<>();
        for (int round = 0; round < ROUNDS; round++) {
            QueueSet some = QueueSet.range(random.nextInt(5000), 1 + random.nextInt(300))
                    .union(set(someIntegers()));
            SortedSet<Integer> known = integers(some);
            known.retainAll(model);
            QueueSet taken = owned.among(some);
            assertThat(integers(taken)).as("seed %s", seed).isEqualTo(known);
            if (random.nextBoolean()) {
                owned.add(some.minus(taken));
                model.addAll(integers(some));
            } else {
                owned.remove(taken);
                model.removeAll(known);
            }
        }
    }

    @Test
    void aSecondOwnerFails() {
        OwnedQueues owned = new OwnedQueues();
        owned.add(QueueSet.range(100, 5));
        assertThatThrownBy(() -> owned.add(QueueSet.range(104, 1))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> owned.remove(QueueSet.range(99, 2))).isInstanceOf(IllegalStateException.class);
    }

    private SortedSet<Integer> someIntegers() {
        TreeSet<Integer> some = new TreeSet<>();
        int runs = random.nextInt(6);
        for (int i = 0; i < runs; i++) {
            int first = random.nextInt(60);
            for (int j = random.nextInt(8); j >= 0; j--) {
                some.add(first + j);
            }
        }
        return some;
    }

    private static QueueSet set(Iterable<Integer> integers) {
        QueueSet.Builder builder = new QueueSet.Builder();
        integers.forEach(builder::add);
        return builder.build();
    }

    private static SortedSet<Integer> integers(QueueSet set) {
        TreeSet<Integer> integers = new TreeSet<>();
        set.forEachRange((first, count) -> {
            for (int i = 0; i < count; i++) {
                integers.add(first + i);
            }
        });
        return integers;
    }
}
