package io.rivulet.broker.producer;

import static io.rivulet.broker.producer.Batches.batch;
import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.protocol.record.RecordBatchLayout;
import io.rivulet.store.View;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/**
 * A gate that is loaded from a snapshot and replays the log behind it gives the same verdicts as the live gate,
 * although the snapshot was written during appends and rollbacks.
 */
final class SequenceGateReplayTest {
    private static final int LENGTH = RecordBatchLayout.HEADER_BYTES;
    private static final int QUEUES = 3;
    private static final int PRODUCERS = 4;
    private static final int STEPS = 300;
    private static final int ROUNDS = 300;
    private static final long EXPIRATION_MILLIS = 60;
    private static final long NEVER = Long.MAX_VALUE / 4;
    /** A step back that leaves the time of rows ahead, and one that does not. */
    private static final long SHORT_STEP = 20;

    private static final long LONG_STEP = 8 * ProducerStates.MOST_AHEAD_MILLIS;
    private static final int EVERY_ROW = QUEUES * PRODUCERS;

    private record Entry(long groupMillis, int queueId, long baseOffset, ByteBuffer batch) {}

    /** A small log writer: groups of batches; some are refused, the others are applied one after the other. */
    private static final class Life {
        private final Random random;
        private final long stepMillis;
        private final SequenceGate gate;
        private final long[] endOffsets = new long[QUEUES];
        private final List<Entry> log = new ArrayList<>();
        private long nowMillis = 1_000_000;
        private int snapshotAt;
        private View.Snapshot snapshot;
        private byte[] written;

        Life(long seed, int maxRows, long expirationMillis, long stepMillis) throws IOException {
            random = new Random(seed);
            this.stepMillis = stepMillis;
            gate = opened(maxRows, expirationMillis, () -> nowMillis);
            snapshot = gate.snapshot();
            written = written(snapshot);
        }

        void step() throws IOException {
            nowMillis += random.nextInt(10) == 0 ? random.nextInt(50) : 1;
            nowMillis += random.nextInt(80) == 0 ? stepMillis : 0;
            nowMillis -= random.nextInt(40) == 0 ? stepMillis : 0;
            List<Entry> group = new ArrayList<>();
            for (int i = random.nextInt(6); i > 0; i--) {
                offer(group);
            }
            if (random.nextInt(5) == 0) {
                for (int i = group.size() - 1; i >= 0; i--) {
                    Entry entry = group.get(i);
                    gate.rolledBack(entry.queueId, entry.baseOffset);
                    endOffsets[entry.queueId] = entry.baseOffset;
                }
                return;
            }
            group.forEach(entry -> tell(gate, entry));
            log.addAll(group);
            if (random.nextInt(40) == 0) {
                snapshotAt = log.size();
                snapshot = gate.snapshot();
                written = written(snapshot);
            }
        }

        private void offer(List<Entry> group) {
            int queueId = random.nextInt(QUEUES);
            int records = 1 + random.nextInt(2);
            boolean sequenced = random.nextInt(10) > 0;
            int producer = sequenced ? random.nextInt(PRODUCERS) : -1;
            int epoch = sequenced ? random.nextInt(20) / 19 : -1;
            int sequence = sequenced ? random.nextInt(STEPS / 20) : -1;
            ByteBuffer batch = records == 1 && random.nextBoolean()
                    ? Batches.slim(producer, epoch, sequence)
                    : batch(producer, epoch, sequence, records);
            if (Verdicts.of(gate, queueId, batch, Batches.AT, LENGTH, 0) == Verdicts.ADMIT) {
                gate.appended(queueId, endOffsets[queueId], batch, Batches.AT, LENGTH);
                group.add(new Entry(nowMillis, queueId, endOffsets[queueId], batch));
                endOffsets[queueId] += records;
            }
        }
    }

    private static SequenceGate opened(int maxRows, long expirationMillis, LongSupplier expiry) {
        SequenceGate gate = new SequenceGate(
                SequenceGate.IN_FLIGHT,
                expirationMillis,
                (long) maxRows * SequenceRows.bytesPerRow(SequenceGate.IN_FLIGHT),
                TestGates.NO_TRANSACTIONS,
                expiry);
        gate.opened(queueId -> true);
        return gate;
    }

    private static byte[] written(View.Snapshot snapshot) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        snapshot.writeTo(Channels.newChannel(out));
        return out.toByteArray();
    }

    private static void tell(SequenceGate gate, Entry entry) {
        gate.applied(entry.groupMillis, entry.queueId, entry.baseOffset, entry.batch, Batches.AT, LENGTH);
    }

    private static String verdicts(SequenceGate gate) {
        StringBuilder text = new StringBuilder();
        for (int queueId = 0; queueId < QUEUES; queueId++) {
            for (int producer = 0; producer < PRODUCERS; producer++) {
                for (int epoch = 0; epoch < 3; epoch++) {
                    for (int sequence = 0; sequence < STEPS / 20 + 2; sequence++) {
                        for (int count = 1; count < 3; count++) {
                            ByteBuffer batch = batch(producer, epoch, sequence, count);
                            text.append(Verdicts.of(gate, queueId, batch, Batches.AT, LENGTH, 0))
                                    .append(' ');
                        }
                    }
                }
                text.append('\n');
            }
        }
        return text.toString();
    }

    @Test
    void aReplayFromALaterSnapshotGivesTheSameVerdicts() throws IOException {
        for (long seed : seeds()) {
            boolean steps = (seed & 1) == 0;
            long expirationMillis = steps ? NEVER : EXPIRATION_MILLIS;
            Life life = life(seed, EVERY_ROW, expirationMillis, steps ? LONG_STEP : 0);
            assertThat(verdicts(replayed(life, written(life.snapshot), EVERY_ROW, expirationMillis)))
                    .as("seed %d", seed)
                    .isEqualTo(verdicts(life.gate));
        }
    }

    @Test
    void aReplayForgetsTheProducersThatTheLiveGateForgot() throws IOException {
        for (long seed : seeds()) {
            int maxRows = 1 + (int) (seed & 7);
            long stepMillis = (seed & 8) == 0 ? SHORT_STEP : LONG_STEP;
            Life life = life(seed, maxRows, EXPIRATION_MILLIS, stepMillis);
            assertThat(verdicts(replayed(life, life.written, maxRows, EXPIRATION_MILLIS)))
                    .as("seed %d", seed)
                    .isEqualTo(verdicts(life.gate));
        }
    }

    @Test
    void aReplayOverStepsOfTheClockGivesTheSameTimes() throws IOException {
        for (long seed : seeds()) {
            Life life = life(seed, EVERY_ROW, NEVER, LONG_STEP);
            assertThat(SequenceGateFixture.writers(replayed(life, life.written, EVERY_ROW, NEVER)))
                    .as("seed %d", seed)
                    .containsExactlyInAnyOrderElementsOf(SequenceGateFixture.writers(life.gate));
        }
    }

    private static long[] seeds() {
        return new Random(Long.getLong("rivulet.seed", System.nanoTime()))
                .longs(ROUNDS)
                .toArray();
    }

    private static Life life(long seed, int maxRows, long expirationMillis, long stepMillis) throws IOException {
        Life life = new Life(seed, maxRows, expirationMillis, stepMillis);
        for (int step = new Random(seed).nextInt(STEPS); step > 0; step--) {
            life.step();
        }
        return life;
    }

    private static SequenceGate replayed(Life life, byte[] snapshot, int maxRows, long expirationMillis)
            throws IOException {
        long[] nowMillis = {life.snapshotAt == 0 ? 0 : life.log.get(life.snapshotAt - 1).groupMillis};
        SequenceGate replayed = opened(maxRows, expirationMillis, () -> nowMillis[0]);
        SequenceGateFixture.load(replayed, snapshot);
        life.log.subList(life.snapshotAt, life.log.size()).forEach(entry -> {
            nowMillis[0] = entry.groupMillis;
            tell(replayed, entry);
        });
        return replayed;
    }
}
