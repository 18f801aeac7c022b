package io.rivulet.store.log.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.io.Disk;
import io.rivulet.store.io.DiskFile;
import io.rivulet.store.io.ForwardingDisk;
import io.rivulet.store.log.LogGroupLayout;
import io.rivulet.store.simulation.LyingDisk;
import io.rivulet.store.simulation.LyingDisk.Lie;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The crash simulation finds each of these bugs, which a faulty disk causes. */
class SeededBugsTest {
    private static final int SEEDS = 200;

    private static void assertFound(UnaryOperator<Disk> bug, String violation) {
        List<String> found = new ArrayList<>();
        for (long seed = 0; seed < SEEDS; seed++) {
            try {
                new CrashSimulation(seed, bug).run(3);
            } catch (CrashSimulation.Violation e) {
                found.add(String.valueOf(e.getMessage()));
            }
        }
        assertThat(found)
                .as("violations by %d seeds", SEEDS)
                .anyMatch(message -> message.matches(".*(" + violation + ").*"));
    }

    @Test
    void acknowledgingWithoutForcing() {
        assertFound(ignoresForces(SegmentLayout::isSegment), "acknowledged");
    }

    @Test
    void acknowledgingBeforeForcing() {
        assertFound(ForcesLate::new, "acknowledged");
    }

    @Test
    void forcingTheNewestSegmentOnly() {
        assertFound(ForcesNewestOnly::new, "acknowledged");
    }

    /** As if two threads wrote, and the one with the later group finished first. */
    @Test
    void writingAGroupAfterTheOneBehindIt() {
        assertFound(WritesOutOfOrder::new, "acknowledged|is not a part of|does not open");
    }

    @Test
    void notSyncingTheDirectory() {
        Lie ignoresSyncs = new Lie() {
            @Override
            public boolean syncs(String directory) {
                return false;
            }
        };
        assertFound(disk -> new LyingDisk(disk, ignoresSyncs), "acknowledged|has been used before");
    }

    @Test
    void namingASegmentBeforeItsHeaderIsOnTheDisk() {
        assertFound(ignoresForces(SegmentLayout::isSpare), "does not open");
    }

    @Test
    void replacingASnapshotBeforeItIsOnTheDisk() {
        assertFound(ignoresForces(name -> name.endsWith(".snapshot.new")), "does not open");
    }

    @Test
    void losingTheNewEpoch() {
        Lie keepsTheFirstState = new Lie() {
            @Override
            public boolean renames(String to) {
                return !to.equals(LogState.NAME);
            }
        };
        assertFound(disk -> new LyingDisk(disk, keepsTheFirstState), "does not open");
    }

    @Test
    void reusingTheEpochOfTheEarlierOpening() {
        assertFound(WritesOneEpoch::new, "should not be there|is not a part of");
    }

    private static UnaryOperator<Disk> ignoresForces(Predicate<String> names) {
        return disk -> new LyingDisk(disk, new Lie() {
            @Override
            public boolean forces(String name) {
                return !names.test(name);
            }
        });
    }

    /** A force returns at once and is executed before the next write to the file. */
    private static final class ForcesLate extends ForwardingDisk {
        ForcesLate(Disk disk) {
            super(disk);
        }

        @Override
        protected DiskFile file(DiskFile file) {
            return new ForwardingFile(file) {
                private boolean owed;

                @Override
                public void force() {
                    owed = true;
                }

                @Override
                public void write(long address, ByteBuffer source) throws IOException {
                    if (owed) {
                        owed = false;
                        super.force();
                    }
                    super.write(address, source);
                }

                @Override
                public void close() throws IOException {
                    super.force();
                    super.close();
                }
            };
        }
    }

    /** Groups that were written just before the log moved to the next segment are not forced. */
    private static final class ForcesNewestOnly extends ForwardingDisk {
        private String newest = "";

        ForcesNewestOnly(Disk disk) {
            super(disk);
        }

        @Override
        protected DiskFile file(DiskFile file) {
            return new ForwardingFile(file) {
                @Override
                public void write(long address, ByteBuffer source) throws IOException {
                    if (SegmentLayout.isSegment(name())) {
                        newest = newest.compareTo(name()) < 0 ? name() : newest;
                    }
                    super.write(address, source);
                }

                @Override
                public void force() throws IOException {
                    if (!SegmentLayout.isSegment(name()) || name().equals(newest)) {
                        super.force();
                    }
                }
            };
        }
    }

    /** Every other group is written after the next one. */
    private static final class WritesOutOfOrder extends ForwardingDisk {
        WritesOutOfOrder(Disk disk) {
            super(disk);
        }

        @Override
        protected DiskFile file(DiskFile file) {
            return new ForwardingFile(file) {
                private @Nullable ByteBuffer held;
                private long heldAddress;

                @Override
                public void write(long address, ByteBuffer source) throws IOException {
                    ByteBuffer before = held;
                    boolean isGroup = SegmentLayout.isSegment(name()) && source.getInt(0) == LogGroupLayout.MAGIC;
                    if (isGroup && before == null) {
                        heldAddress = address;
                        held = ByteBuffer.allocate(source.remaining())
                                .put(source)
                                .flip();
                        return;
                    }
                    super.write(address, source);
                    if (before != null) {
                        held = null;
                        super.write(heldAddress, before);
                    }
                }
            };
        }
    }

    /** Every group has epoch 1. */
    private static final class WritesOneEpoch extends ForwardingDisk {
        WritesOneEpoch(Disk disk) {
            super(disk);
        }

        @Override
        protected DiskFile file(DiskFile file) {
            return new ForwardingFile(file) {
                @Override
                public void write(long address, ByteBuffer source) throws IOException {
                    int length = source.remaining();
                    boolean isGroup = SegmentLayout.isSegment(name())
                            && source.getInt(0) == LogGroupLayout.MAGIC
                            && source.getInt(LogGroupLayout.LENGTH_AT) == length;
                    if (isGroup) {
                        long storeId = SegmentLayout.read(file).storeId();
                        source.putLong(LogGroupLayout.EPOCH_AT, 1);
                        source.putInt(
                                length - LogGroupLayout.CRC_BYTES, LogGroupLayout.crc(storeId, source, 0, length));
                    }
                    super.write(address, source);
                }
            };
        }
    }
}
