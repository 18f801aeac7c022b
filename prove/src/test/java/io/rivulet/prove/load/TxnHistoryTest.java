package io.rivulet.prove.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.prove.load.TxnHistory.Fate;
import io.rivulet.prove.load.TxnHistory.Read;
import io.rivulet.prove.load.TxnHistory.Txn;
import io.rivulet.prove.load.TxnHistory.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The checker of histories finds each bug of a small simulated broker, and nothing in one without bugs. */
final class TxnHistoryTest {
    private static final int PARTITIONS = 3;
    private static final long SEED = Long.getLong("rivulet.seed", System.nanoTime());

    /** The bugs of the simulated broker. */
    private enum Bug {
        NONE,
        LOSES_A_COMMITTED_VALUE,
        STORES_A_RETRY_TWICE,
        SHOWS_AN_ABORTED_VALUE,
        COMMITS_WITHOUT_ONE_PARTITION,
        TEARS_WHAT_NOBODY_WAS_TOLD_OF,
        SHOWS_WHAT_IS_OPEN_TO_EARLY_READERS,
        SWAPS_BATCHES_OF_A_PRODUCER,
        GIVES_AN_OFFSET_TWICE,
        PUTS_A_VALUE_INTO_ANOTHER_PARTITION
    }

    @ParameterizedTest
    @EnumSource(Bug.class)
    void eachBugIsFound(Bug bug) {
        Random random = new Random(SEED);
        List<String> violations = new LittleBroker(random, bug).run().violations();

        if (bug == Bug.NONE) {
            assertThat(violations).as("seed %d", SEED).isEmpty();
        } else {
            assertThat(violations).as("seed %d", SEED).isNotEmpty();
        }
    }

    @Test
    void withoutABugNothingIsFoundForManySeeds() {
        Random seeds = new Random(SEED);
        for (int i = 0; i < 100; i++) {
            assertThat(new LittleBroker(new Random(seeds.nextLong()), Bug.NONE)
                            .run()
                            .violations())
                    .as("seed %d, %d", SEED, i)
                    .isEmpty();
        }
    }

    /** Runs transactions one after the other, in memory, with a bug in the middle. */
    private static final class LittleBroker {
        private static final int TRANSACTIONS = 60;
        private static final int STRIKES_AT = 30;

        private final Random random;
        private final Bug bug;
        private final TxnHistory history = new TxnHistory();
        private final Map<Integer, List<Read>> partitions = new HashMap<>();
        private final long[] ends = new long[PARTITIONS];

        LittleBroker(Random random, Bug bug) {
            this.random = random;
            this.bug = bug;
            for (int i = 0; i < PARTITIONS; i++) {
                partitions.put(i, new ArrayList<>());
            }
        }

        TxnHistory run() {
            for (int number = 0; number < TRANSACTIONS; number++) {
                transaction(number, number == STRIKES_AT ? bug : Bug.NONE);
                if (number == TRANSACTIONS / 2) {
                    Map<Integer, List<Read>> seen = new HashMap<>();
                    partitions.forEach((partition, reads) -> seen.put(partition, List.copyOf(reads)));
                    history.readEarlier(seen);
                }
            }
            partitions.forEach(history::read);
            return history;
        }

        private void transaction(int number, Bug strikes) {
            List<Write> writes = new ArrayList<>();
            for (int i = 0; i < PARTITIONS * 2; i++) {
                writes.add(new Write(number + "-" + i, i % PARTITIONS));
            }
            Fate fate = fate(strikes);
            boolean committed = fate == Fate.COMMITTED || (fate == Fate.UNKNOWN && random.nextBoolean());
            history.add(new Txn("w" + number % 2, fate, writes));
            List<Write> stored = new ArrayList<>(committed ? writes : List.of());
            damage(strikes, writes, stored, (partition, value) -> append(partition, value));
            stored.forEach(write -> append(write.partition(), write.value()));
            ends[random.nextInt(PARTITIONS)]++; // a marker
        }

        private Fate fate(Bug strikes) {
            return switch (strikes) {
                case NONE -> List.of(Fate.values()).get(random.nextInt(3));
                case SHOWS_AN_ABORTED_VALUE -> Fate.ABORTED;
                case TEARS_WHAT_NOBODY_WAS_TOLD_OF -> Fate.UNKNOWN;
                default -> Fate.COMMITTED;
            };
        }

        private void damage(Bug strikes, List<Write> writes, List<Write> stored, BiConsumer<Integer, String> append) {
            switch (strikes) {
                case LOSES_A_COMMITTED_VALUE -> stored.remove(random.nextInt(stored.size()));
                case STORES_A_RETRY_TWICE -> stored.add(stored.get(random.nextInt(stored.size())));
                case SHOWS_AN_ABORTED_VALUE -> stored.add(writes.get(0));
                case COMMITS_WITHOUT_ONE_PARTITION -> stored.removeIf(write -> write.partition() == 1);
                case TEARS_WHAT_NOBODY_WAS_TOLD_OF -> {
                    stored.clear();
                    stored.add(writes.get(1));
                }
                case SHOWS_WHAT_IS_OPEN_TO_EARLY_READERS ->
                    history.readEarlier(Map.of(
                            0,
                            concat(
                                    Objects.requireNonNull(partitions.get(0)),
                                    new Read(ends[0] + 1_000, "not yet decided"))));
                case SWAPS_BATCHES_OF_A_PRODUCER -> {
                    Write first = stored.remove(0);
                    stored.add(first);
                }
                case GIVES_AN_OFFSET_TWICE -> {
                    append.accept(0, stored.remove(0).value());
                    ends[0]--;
                }
                case PUTS_A_VALUE_INTO_ANOTHER_PARTITION ->
                    append.accept(2, stored.remove(0).value());
                default -> {} // NONE
            }
        }

        private static List<Read> concat(List<Read> reads, Read one) {
            List<Read> all = new ArrayList<>(reads);
            all.add(one);
            return all;
        }

        private void append(int partition, String value) {
            Objects.requireNonNull(partitions.get(partition)).add(new Read(ends[partition]++, value));
        }
    }
}
