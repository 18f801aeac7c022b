package io.rivulet.broker.group.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Compares sets of tasks with sets of texts, at random. */
final class TaskSetTest {
    private static final int RUNS = 2_000;
    private static final int PARTITIONS = 12;

    private final Random random = new Random(Long.getLong("rivulet.seed", System.nanoTime()));

    private Set<String> some() {
        Set<String> some = new TreeSet<>();
        int density = random.nextInt(5);
        for (String id : new String[] {"0", "1", "22"}) {
            IntStream.range(0, PARTITIONS)
                    .filter(partition -> random.nextInt(4) < density)
                    .forEach(partition -> some.add(id + "_" + partition));
        }
        return some;
    }

    private TaskSet of(Set<String> names) {
        TaskSet.Builder tasks = new TaskSet.Builder();
        for (String name : names) {
            String[] parts = name.split("_", -1);
            tasks.add(parts[0], Integer.parseInt(parts[1]));
            if (random.nextInt(8) == 0) {
                tasks.add(parts[0], Integer.parseInt(parts[1])); // twice
            }
        }
        return tasks.build();
    }

    private static Set<String> names(TaskSet tasks) {
        Set<String> names = new TreeSet<>();
        tasks.forEach((id, partitions) -> IntStream.of(partitions)
                .forEach(
                        partition -> assertThat(names.add(id + "_" + partition)).isTrue()));
        return names;
    }

    @Test
    void allQuestionsAndOperationsAreThoseOfSets() {
        for (int run = 0; run < RUNS; run++) {
            Set<String> one = some();
            Set<String> other = some();
            TaskSet tasks = of(one);
            TaskSet others = of(other);
            Set<String> union = new TreeSet<>(one);
            union.addAll(other);
            Set<String> both = new TreeSet<>(one);
            both.retainAll(other);
            Set<String> only = new TreeSet<>(one);
            only.removeAll(other);

            assertThat(names(tasks)).isEqualTo(one);
            assertThat(tasks.size()).isEqualTo(one.size());
            assertThat(tasks.isEmpty()).isEqualTo(one.isEmpty());
            assertThat(tasks.union(others)).isEqualTo(of(union)).hasSameHashCodeAs(of(union));
            assertThat(tasks.intersect(others)).isEqualTo(of(both));
            assertThat(tasks.minus(others)).isEqualTo(of(only));
            assertThat(tasks.intersects(others)).isEqualTo(!both.isEmpty());
            assertThat(tasks.containsAll(others)).isEqualTo(one.containsAll(other));
            assertThat(tasks.equals(others)).isEqualTo(one.equals(other));
            for (int partition = -1; partition <= PARTITIONS; partition++) {
                assertThat(tasks.contains("1", partition)).isEqualTo(one.contains("1_" + partition));
            }
        }
    }

    @Test
    void theBytesAreReadAgain() {
        for (int run = 0; run < RUNS; run++) {
            TaskSet tasks = of(some());
            ByteBuffer bytes = ByteBuffer.allocate(tasks.encodedBytes());
            tasks.encode(bytes);

            assertThat(TaskSet.decode(bytes.flip())).isEqualTo(tasks);
            assertThat(bytes.hasRemaining()).isFalse();
        }
    }
}
