package io.rivulet.prove.churn;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.prove.Row;
import io.rivulet.prove.Runner;
import io.rivulet.prove.process.BrokerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A broker does not grow, and the check catches one that does. {@code -Drivulet.seed=N} repeats it. */
final class ChurnCheckIT {
    private static final long SEED = Long.getLong("rivulet.seed", System.nanoTime() >>> 20);
    private static final int WARM_UP = 6;
    private static final int FEWEST_ROUNDS = 4;
    private static final int MOST_ROUNDS = 12;
    private static final int TIMES = 4;
    private static final int ALL_ROUNDS = 12;

    private static Path directory = Path.of("");
    private static BrokerProcess broker;
    private static int port;
    private static Checkpoints checkpoints = new Checkpoints(Path.of(""));

    @BeforeAll
    static void startBroker() throws Exception {
        directory = Runner.scratch();
        Path data = directory.resolve("data");
        broker = ChurnCheck.start(directory, data, EnumSet.of(Kind.PRODUCER_IDS, Kind.TRANSACTIONAL_IDS));
        port = broker.awaitReady();
        checkpoints = new Checkpoints(data.resolve("log"));
        try (ChurnRound round = new ChurnRound(port, EnumSet.allOf(Kind.class), Set.of(), TIMES)) {
            for (int i = 0; i < WARM_UP; i++) {
                round.run(new Random(i));
            }
        }
    }

    @AfterAll
    static void endBroker() throws Exception {
        broker.close();
        Runner.delete(directory);
    }

    @Test
    void nothingGrows() throws Exception {
        ChurnCheck check = new ChurnCheck();

        Row row = new Runner(Path.of("target", "prove-failures"))
                .run(check, SEED, check.points(), Duration.ofMinutes(10));

        assertThat(row.failures()).as("seed %d", SEED).isEmpty();
        assertThat(row.points()).isGreaterThanOrEqualTo(check.points());
    }

    /** What the check would see of a broker that never forgets this. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"TOPICS", "PRODUCER_IDS", "TRANSACTIONAL_IDS"})
    void aLeakIsCaught(Kind leaked) throws Exception {
        List<Sizes> series = new ArrayList<>();
        int times = leaked == Kind.QUOTAS ? TIMES / 2 : TIMES; // or their own limit refuses them
        try (ChurnRound round = new ChurnRound(port, Set.of(leaked), Set.of(leaked), times)) {
            while (series.size() < FEWEST_ROUNDS
                    || (series.size() < MOST_ROUNDS && Sizes.complaints(series).isEmpty())) {
                round.run(new Random(SEED + series.size()));
                series.add(Sizes.of(broker));
            }
            assertThat(Sizes.complaints(series))
                    .as("%s, seed %d: %s", leaked, SEED, Sizes.figures(series))
                    .isNotEmpty();
        }
    }

    /** Topics are so small that only the state shows them, and the broker remembers producers for a day. */
    @Test
    void aLeakIsCaughtAtTheEnd() throws Exception {
        try (ChurnRound nothing = new ChurnRound(port, Set.of(), Set.of(), 1)) {
            long before = ChurnCheck.checkpoint(nothing, checkpoints);
            for (Kind leaked : List.of(Kind.TOPICS, Kind.PRODUCER_IDS, Kind.TRANSACTIONAL_IDS)) {
                try (ChurnRound round = new ChurnRound(port, Set.of(leaked), Set.of(leaked), 1)) {
                    round.run(new Random(SEED));
                }
                long after = ChurnCheck.checkpoint(nothing, checkpoints);

                assertThat(ChurnCheck.stateComplaints(before, after))
                        .as("%s", leaked)
                        .isNotEmpty();
                before = after;
            }
        }
    }

    @Test
    void aLeakOfThreadsOrOfMemoryOutsideTheHeapIsCaught() {
        List<Sizes> series = new ArrayList<>();
        for (int i = 0; i < ALL_ROUNDS; i++) {
            series.add(new Sizes(20 << 20, (200 << 20) + i * (2L << 20), 40, 30 + i));
        }

        assertThat(Sizes.complaints(series))
                .anyMatch(line -> line.startsWith("threads grows"))
                .anyMatch(line -> line.startsWith("memory outside the heap grows"));
    }

    @Test
    void anOutlierIsNoGrowth() {
        List<Sizes> series = new ArrayList<>();
        for (int i = 0; i < ALL_ROUNDS; i++) {
            series.add(new Sizes(i == 9 ? 60 << 20 : (20 << 20) + i % 3 * 1000, 200 << 20, 40 + i % 2, 30));
        }

        assertThat(Sizes.complaints(series)).isEmpty();
    }
}
