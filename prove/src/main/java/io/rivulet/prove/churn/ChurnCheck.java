package io.rivulet.prove.churn;

import io.rivulet.prove.Check;
import io.rivulet.prove.process.BrokerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Makes and forgets everything, round after round, on one broker that must not grow. Immutable. */
public final class ChurnCheck implements Check {
    private static final int ROUNDS = 60;
    /** Until code is compiled, pools are full and tables have their size. */
    private static final int WARM_UP = 20;

    private static final long MORE_STATE_BYTES = 512;
    private static final int MOST_SIZES = 200;
    private static final String A_DAY_MILLIS = "86400000";

    @Override
    public String name() {
        return "churn";
    }

    @Override
    public String promise() {
        return "topics, groups, producers, connections, configs, users, rules, quotas made and forgotten: heap, memory,"
                + " files, threads and state do not grow";
    }

    @Override
    public int points() {
        return ROUNDS;
    }

    @Override
    public Points open(Path scratch, Path kept) throws Exception {
        Churning churning = new Churning(scratch);
        try {
            churning.rounds(0, WARM_UP);
            churning.stateBytesBefore = checkpoint(churning.round, churning.checkpoints);
            return churning;
        } catch (Exception e) {
            churning.broker.close();
            throw e;
        }
    }

    /**
     * All of the heap is resident from the start: its garbage is not counted. A full collection leaves no dead objects
     * behind either; by default it may, up to a twentieth of the heap.
     *
     * @param kept kinds that the broker remembers for a day
     */
    static BrokerProcess start(Path scratch, Path data, Set<Kind> kept) throws IOException {
        return BrokerProcess.start(
                scratch,
                List.of(
                        "-Xms128m",
                        "-Xmx128m",
                        "-XX:MaxDirectMemorySize=256m",
                        "-XX:+AlwaysPreTouch",
                        "-XX:MarkSweepDeadRatio=0"),
                Map.of(),
                Map.of(
                        "listeners",
                        "PLAINTEXT://localhost:0",
                        "log.dirs",
                        data.toString(),
                        "authorizer.class.name",
                        "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                        "super.users",
                        "User:ANONYMOUS",
                        "rivulet.tail.bytes",
                        String.valueOf(16 << 20),
                        "rivulet.cache.bytes",
                        String.valueOf(8 << 20),
                        "producer.id.expiration.ms",
                        kept.contains(Kind.PRODUCER_IDS) ? A_DAY_MILLIS : ProducerChurn.EXPIRY_MILLIS,
                        "transactional.id.expiration.ms",
                        kept.contains(Kind.TRANSACTIONAL_IDS) ? A_DAY_MILLIS : ProducerChurn.EXPIRY_MILLIS,
                        "transaction.remove.expired.transaction.cleanup.interval.ms",
                        "500"));
    }

    /**
     * The size of the broker's state in a new checkpoint. Two of them, and meanwhile everything expires: the first one
     * begins before its last producers have.
     */
    static long checkpoint(ChurnRound round, Checkpoints checkpoints) throws IOException {
        round.fill(checkpoints);
        round.fill(checkpoints);
        return checkpoints.stateBytes();
    }

    static List<String> stateComplaints(long before, long after) {
        return after <= before + MORE_STATE_BYTES
                ? List.of()
                : List.of("the snapshots had " + before + " bytes and have " + after);
    }

    /** One broker. Owned by: one thread. */
    private static final class Churning implements Points {
        private final BrokerProcess broker;
        private final ChurnRound round;
        private final Checkpoints checkpoints;
        private final List<Sizes> sizes = new ArrayList<>();
        private long stateBytesBefore;
        private long done;
        /** Every how many rounds the sizes are taken. */
        private int stride = 1;

        Churning(Path scratch) throws IOException {
            Path data = scratch.resolve("data");
            broker = start(scratch, data, Set.of());
            checkpoints = new Checkpoints(data.resolve("log"));
            round = new ChurnRound(broker.awaitReady(), EnumSet.allOf(Kind.class), Set.of(), 1);
        }

        void rounds(long seed, int count) {
            for (int i = 0; i < count; i++) {
                round.run(new Random(seed + i));
            }
        }

        @Override
        public Found run(long seed) throws Exception {
            rounds(seed, 1);
            if (++done % stride == 0) {
                sizes.add(Sizes.of(broker));
            }
            if (sizes.size() == MOST_SIZES) {
                thin();
            }
            return new Found(1, List.of(), done % ROUNDS == 0 ? List.of(Sizes.figures(sizes)) : List.of());
        }

        /** Keeps every second one: a run may last for days. */
        private void thin() {
            for (int i = sizes.size() - 2; i >= 0; i -= 2) {
                sizes.remove(i);
            }
            stride *= 2;
        }

        @Override
        public void close() throws IOException {
            try (broker) {
                List<String> complaints = new ArrayList<>(Sizes.complaints(sizes));
                complaints.addAll(stateComplaints(stateBytesBefore, checkpoint(round, checkpoints)));
                complaints.addAll(broker.errors());
                round.close();
                broker.terminate();
                broker.awaitEnd();
                if (!complaints.isEmpty()) {
                    throw new IOException(String.join("\n  ", complaints));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
    }
}
