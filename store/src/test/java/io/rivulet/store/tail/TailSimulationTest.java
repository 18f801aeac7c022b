package io.rivulet.store.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.rivulet.store.memory.Slabs;
import io.rivulet.store.queue.QueueRow;
import io.rivulet.store.queue.QueueTable;
import java.nio.ByteBuffer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class TailSimulationTest {
    private static final int STEPS = 400;
    private static final int SEEDS_TO_FIND_A_BUG = 400;

    @Property(tries = 400)
    void readersSeeTheModelWhateverTheWriterDoesMeanwhile(@ForAll long seed) {
        new TailSimulation(seed, Interleaved::new).run(STEPS);
    }

    @Property(tries = 200)
    void readersSeeTheModelWithoutInterference(@ForAll long seed) {
        new TailSimulation(seed, (table, slabs, simulation) -> new Tail(table, slabs, 3, 700)).run(STEPS);
    }

    @Test
    void theSimulationDoesDisturbReaders() {
        int disturbed = 0;
        for (long seed = 0; seed < 50; seed++) {
            TailSimulation simulation = new TailSimulation(seed, Interleaved::new);
            simulation.run(STEPS);
            disturbed += simulation.disturbed;
        }
        assertThat(disturbed).isPositive();
    }

    @Test
    void aMissingStampCheckIsFound() {
        requireFound((table, slabs, simulation) -> new Interleaved(table, slabs, simulation) {
            @Override
            boolean undisturbed(long[] rows, int row, long highestStart) {
                return true;
            }
        });
    }

    @Test
    void aStampCheckThatIsOffByOneIsFound() {
        requireFound((table, slabs, simulation) -> new Interleaved(table, slabs, simulation) {
            @Override
            boolean undisturbed(long[] rows, int row, long highestStart) {
                return super.undisturbed(rows, row, highestStart + 1);
            }
        });
    }

    @Test
    void chunksThatAreReusedBeforeTheStartMovesAreFound() {
        requireFound(LateStart::new);
    }

    @Test
    void aHeadThatMovesAfterTheStartIsFound() {
        requireFound((table, slabs, simulation) -> new Interleaved(table, slabs, simulation) {
            @Override
            void moveStart(long[] rows, int row, long newTailStart, long newHead) {
                TailSimulation.setWord(rows, row + QueueRow.TAIL_START, newTailStart);
                interleave();
                TailSimulation.setWord(rows, row + QueueRow.HEAD, newHead);
            }
        });
    }

    @Test
    void aHeadThatMovesBeforeTheStartIsFound() {
        requireFound((table, slabs, simulation) -> new Interleaved(table, slabs, simulation) {
            @Override
            void moveStart(long[] rows, int row, long newTailStart, long newHead) {
                TailSimulation.setWord(rows, row + QueueRow.HEAD, newHead);
                interleave();
                TailSimulation.setWord(rows, row + QueueRow.TAIL_START, newTailStart);
            }
        });
    }

    @Test
    void aBoundaryThatIsWrongIsFound() {
        requireFound((table, slabs, simulation) -> new Interleaved(table, slabs, simulation) {
            @Override
            boolean release(TailReleases releases, int i) {
                long boundary = releases.boundaries[i];
                int at = QueueRow.headAt(boundary);
                releases.boundaries[i] = QueueRow.head(QueueRow.headChunk(boundary), at > 200 ? at - 1 : at);
                return super.release(releases, i);
            }
        });
    }

    @Test
    void chunksThatAreNeverFreedAreFound() {
        requireFound((table, slabs, simulation) -> new Interleaved(table, slabs, simulation) {
            @Override
            void freeChunks(int[] chunks, int from, int to) {}
        });
    }

    @Test
    void aChunkThatIsLeftOutIsFound() {
        requireFound((table, slabs, simulation) -> new Interleaved(table, slabs, simulation) {
            @Override
            void freeChunks(int[] chunks, int from, int to) {
                super.freeChunks(chunks, from, Math.max(from, to - 1));
            }
        });
    }

    @Test
    void chunksThatAreFreedTwiceAreFound() {
        requireFound((table, slabs, simulation) -> new Interleaved(table, slabs, simulation) {
            @Override
            void freeChunks(int[] chunks, int from, int to) {
                super.freeChunks(chunks, from, to);
                super.freeChunks(chunks, from, to);
            }
        });
    }

    private static void requireFound(TailSimulation.TailFactory broken) {
        for (long seed = 0; seed < SEEDS_TO_FIND_A_BUG; seed++) {
            try {
                new TailSimulation(seed, broken).run(STEPS);
            } catch (AssertionError | IllegalStateException | IllegalArgumentException e) {
                return;
            }
        }
        fail("no seed of %d finds the bug", SEEDS_TO_FIND_A_BUG);
    }

    private static class Interleaved extends Tail {
        private final TailSimulation simulation;

        Interleaved(QueueTable table, Slabs slabs, TailSimulation simulation) {
            super(table, slabs, 2, 512);
            this.simulation = simulation;
        }

        @Override
        void interleave() {
            simulation.interleave();
        }
    }

    /** Moves the head and frees at once, but moves the start only with the next release or drop. */
    private static final class LateStart extends Interleaved {
        private long[] lateRows = new long[1];
        private int lateIndex;
        private long lateStart;

        LateStart(QueueTable table, Slabs slabs, TailSimulation simulation) {
            super(table, slabs, simulation);
        }

        @Override
        void moveStart(long[] rows, int row, long newTailStart, long newHead) {
            TailSimulation.setWord(rows, row + QueueRow.HEAD, newHead);
            lateRows = rows;
            lateIndex = row + QueueRow.TAIL_START;
            lateStart = newTailStart;
        }

        @Override
        public void append(int queueId, ByteBuffer src, int at, int length) {
            super.append(queueId, src, at, length);
            settle();
        }

        @Override
        boolean release(TailReleases releases, int i) {
            settle();
            return super.release(releases, i);
        }

        @Override
        public void drop(int queueId) {
            settle();
            super.drop(queueId);
        }

        private void settle() {
            TailSimulation.setWord(lateRows, lateIndex, lateStart);
        }
    }
}
