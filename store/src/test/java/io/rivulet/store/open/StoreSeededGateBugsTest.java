package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.BatchGate;
import io.rivulet.store.Durability;
import io.rivulet.store.GateVerdict;
import io.rivulet.store.open.StoreFaultTest.FullNowAndThen;
import io.rivulet.store.simulation.ForwardingGate;
import io.rivulet.store.simulation.Invariant;
import io.rivulet.store.simulation.Stamp;
import io.rivulet.store.simulation.Violation;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The simulation finds bugs of the gate and of atomic requests, which a faulty part causes. */
class StoreSeededGateBugsTest {
    private static final int MAX_SEEDS = 60;
    private static final int LIVES = 3;
    private static final int LOOKS = 6;

    private static void assertFound(Function<SplittableRandom, Tampering> bug, Invariant... expected) {
        Violation found = null;
        for (long seed = 0; seed < MAX_SEEDS && found == null; seed++) {
            try {
                new StoreSimulation(seed, Durability.FSYNC, bug, Tampering.NONE).run(LIVES, LOOKS);
            } catch (Violation e) {
                found = e;
            }
        }
        assertThat(found).as("a violation within %d seeds", MAX_SEEDS).isNotNull();
        if (found != null) {
            assertThat(found.invariant()).as(found.getMessage()).isIn((Object[]) expected);
        }
    }

    private static Tampering gate(Function<BatchGate, BatchGate> lie) {
        return new Tampering() {
            @Override
            public BatchGate gate(BatchGate gate) {
                return lie.apply(gate);
            }
        };
    }

    /** Then a batch that was rejected for lack of space is answered as a duplicate when it is sent again. */
    @Test
    void forgettingToRollBack() {
        assertFound(
                random -> new FullNowAndThen(random) {
                    @Override
                    public BatchGate gate(BatchGate gate) {
                        return new ForwardingGate(gate) {
                            @Override
                            public void rolledBack(int queueId, long baseOffset) {}
                        };
                    }
                },
                Invariant.NO_ACKNOWLEDGED_ENTRY_LOST,
                Invariant.A_BEGINNING_OF_THE_LOG,
                Invariant.BYTES_UNALTERED,
                Invariant.OFFSETS_CONTIGUOUS);
    }

    @Test
    void answeringADuplicateBeforeItsOriginalIsDurable() {
        assertFound(random -> new AnswersDuplicatesAtOnce(), Invariant.NO_ACKNOWLEDGED_ENTRY_LOST);
    }

    private static final class AnswersDuplicatesAtOnce implements Tampering {
        private @Nullable SimulatedClient client;

        @Override
        public void client(SimulatedClient offering) {
            client = offering;
        }

        @Override
        public BatchGate gate(BatchGate gate) {
            return new ForwardingGate(gate) {
                @Override
                public void check(int queueId, ByteBuffer source, int at, int length, int flags, GateVerdict verdict) {
                    super.check(queueId, source, at, length, flags, verdict);
                    Stamp stamp = Stamp.of(source, at, length);
                    SimulatedClient told = client;
                    if (verdict.baseOffset() >= 0 && stamp != null && told != null) {
                        told.answeredTooEarly(queueId, stamp);
                    }
                }
            };
        }
    }

    /**
     * According to the manifest, the snapshot contains everything before an lsn, but its content is one checkpoint
     * older.
     */
    @Test
    void aSnapshotThatIsOlderThanItsLsn() {
        assertFound(
                random -> gate(gate -> new ForwardingGate(gate) {
                    private Snapshot before = gate.snapshot();

                    @Override
                    public Snapshot snapshot() {
                        Snapshot stale = before;
                        before = super.snapshot();
                        return stale;
                    }
                }),
                Invariant.A_BEGINNING_OF_THE_LOG,
                Invariant.VIEWS_EQUAL_AFTER_REPLAY,
                Invariant.NO_ACKNOWLEDGED_ENTRY_LOST);
    }

    /**
     * As if only durable batches counted: a batch that follows another one in the same group leaves a gap, or is stored
     * twice.
     */
    @Test
    void notComparingWithBatchesInFlight() {
        assertFound(
                random -> gate(gate -> new ForwardingGate(gate) {
                    @Override
                    public void appended(int queueId, long baseOffset, ByteBuffer source, int at, int length) {}
                }),
                Invariant.A_BEGINNING_OF_THE_LOG,
                Invariant.BYTES_UNALTERED,
                Invariant.OFFSETS_CONTIGUOUS);
    }

    @Test
    void storingAnAtomicRequestPartByPart() {
        assertFound(
                random -> new Tampering() {
                    @Override
                    public boolean saysAtomic() {
                        return false;
                    }
                },
                Invariant.A_BEGINNING_OF_THE_LOG,
                Invariant.NO_ACKNOWLEDGED_ENTRY_LOST);
    }
}
