package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.Durability;
import io.rivulet.store.View;
import io.rivulet.store.block.format.BlockFileFooter;
import io.rivulet.store.block.read.QueueView;
import io.rivulet.store.block.write.BlockFileWriter;
import io.rivulet.store.io.Disk;
import io.rivulet.store.io.DiskFile;
import io.rivulet.store.io.FaultyDisk;
import io.rivulet.store.io.ForwardingDisk;
import io.rivulet.store.log.AppendException;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.LogGroup;
import io.rivulet.store.simulation.ForwardingLog;
import io.rivulet.store.simulation.Invariant;
import io.rivulet.store.simulation.LyingDisk;
import io.rivulet.store.simulation.LyingDisk.Lie;
import io.rivulet.store.simulation.MendedChecksums;
import io.rivulet.store.simulation.Violation;
import io.rivulet.store.sweep.ChainReleaser;
import io.rivulet.store.sweep.SweepTarget;
import io.rivulet.store.writer.LogWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The store's simulation finds each of these bugs, which a faulty part causes. */
class StoreSeededBugsTest {
    private static final int MAX_SEEDS = 60;
    private static final int LIVES = 3;
    private static final int LOOKS = 6;

    private static void assertFound(Supplier<Tampering> bug, Invariant... expected) {
        assertFound(Durability.FSYNC, bug, expected);
    }

    private static void assertFound(Durability durability, Supplier<Tampering> bug, Invariant... expected) {
        Violation found = null;
        long seed = 0;
        for (; seed < MAX_SEEDS && found == null; seed++) {
            try {
                new StoreSimulation(seed, durability, bug.get()).run(LIVES, LOOKS);
            } catch (Violation e) {
                found = e;
            }
        }
        assertThat(found).as("a violation within %d seeds", MAX_SEEDS).isNotNull();
        if (found != null) {
            assertThat(found.invariant()).as(found.getMessage()).isIn((Object[]) expected);
        }
    }

    private static Tampering disk(Lie lie) {
        return new Tampering() {
            @Override
            public Disk disk(Disk disk) {
                return new LyingDisk(disk, lie);
            }
        };
    }

    private static Tampering withoutForcing(Predicate<String> names) {
        return disk(new Lie() {
            @Override
            public boolean forces(String name) {
                return !names.test(name);
            }
        });
    }

    private static Tampering log(UnaryOperator<CommitLog> lie) {
        return new Tampering() {
            @Override
            public CommitLog log(CommitLog log) {
                return lie.apply(log);
            }
        };
    }

    // ---- the disk ----

    @Test
    void notForcingTheLog() {
        assertFound(
                () -> withoutForcing(name -> name.endsWith(".segment")),
                Invariant.A_BEGINNING_OF_THE_LOG,
                Invariant.NO_ACKNOWLEDGED_ENTRY_LOST,
                Invariant.OPENS_AND_WORKS);
    }

    @Test
    void notForcingABlockFile() {
        assertFound(
                () -> withoutForcing(name -> name.endsWith(".unfinished")),
                Invariant.OPENS_AND_WORKS,
                Invariant.OFFSETS_CONTIGUOUS,
                Invariant.NO_ACKNOWLEDGED_ENTRY_LOST);
    }

    @Test
    void notForcingASnapshot() {
        assertFound(() -> withoutForcing(name -> name.endsWith(".snapshot.new")), Invariant.OPENS_AND_WORKS);
    }

    private static Tampering withoutSyncing(String directory) {
        return disk(new Lie() {
            @Override
            public boolean syncs(String synced) {
                return !synced.equals(directory);
            }
        });
    }

    @Test
    void forgettingToSyncTheDirectoryOfTheBlockFiles() {
        assertFound(() -> withoutSyncing("blocks"), Invariant.OPENS_AND_WORKS);
    }

    @Test
    void forgettingToSyncTheDirectoryOfTheLog() {
        assertFound(() -> withoutSyncing("log"), Invariant.OPENS_AND_WORKS, Invariant.NO_ACKNOWLEDGED_ENTRY_LOST);
    }

    @Test
    void usingAnEpochAgain() {
        assertFound(
                () -> disk(new Lie() {
                    @Override
                    public boolean renames(String to) {
                        return !to.equals("log.state");
                    }
                }),
                Invariant.OPENS_AND_WORKS,
                Invariant.A_BEGINNING_OF_THE_LOG,
                Invariant.NO_ACKNOWLEDGED_ENTRY_LOST);
    }

    @Test
    void notCheckingTheChecksumsOfGroups() {
        assertFound(
                () -> disk(new MendedChecksums()),
                Invariant.A_BEGINNING_OF_THE_LOG,
                Invariant.BYTES_UNALTERED,
                Invariant.OPENS_AND_WORKS,
                Invariant.NO_ACKNOWLEDGED_ENTRY_LOST);
    }

    /** After a failed force the bytes are dropped from the page cache, and another force succeeds without them. */
    @Test
    void forcingOnceMoreAfterAForceThatFailed() {
        assertFound(
                RetriesForces::new,
                Invariant.NO_ACKNOWLEDGED_ENTRY_LOST,
                Invariant.OFFSETS_CONTIGUOUS,
                Invariant.OPENS_AND_WORKS);
    }

    private static final class RetriesForces implements Tampering {
        @Override
        public Disk disk(Disk disk) {
            Set<String> lost = new HashSet<>();
            Disk forgetful = new LyingDisk(disk, new Lie() {
                @Override
                public boolean forces(String name) {
                    return !lost.contains(name);
                }
            });
            FaultyDisk faulty =
                    new FaultyDisk(forgetful).failNth(FaultyDisk.Op.FORCE, 8, name -> name.endsWith(".segment"));
            return new LyingDisk(faulty, new Lie() {
                @Override
                public boolean survivesFailedForce(DiskFile file) throws IOException {
                    lost.add(file.name());
                    file.force();
                    return true;
                }
            });
        }
    }

    // ---- the log ----

    @Test
    void acknowledgingBeforeTheForce() {
        assertFound(
                () -> log(log -> new ForwardingLog(log) {
                    @Override
                    public long durableLsn() {
                        return writtenLsn();
                    }
                }),
                Invariant.NO_ACKNOWLEDGED_ENTRY_LOST);
    }

    @Test
    void acknowledgingBeforeTheWrite() {
        assertFound(
                () -> log(log -> new ForwardingLog(log) {
                    private long appendedLsn;

                    @Override
                    public long append(LogGroup group) throws AppendException {
                        appendedLsn = super.append(group) + 1;
                        return appendedLsn - 1;
                    }

                    @Override
                    public long writtenLsn() {
                        return Math.max(super.writtenLsn(), appendedLsn);
                    }
                }),
                Invariant.NO_ACKNOWLEDGED_ENTRY_LOST);
    }

    @Test
    void notNoticingThatTheDiskHadNoRoomForWhatWasAppended() {
        assertFound(
                () -> new StoreFaultTest.FullNowAndThen(new SplittableRandom(1)) {
                    @Override
                    public CommitLog log(CommitLog log) {
                        return new ForwardingLog(log) {
                            @Override
                            public boolean withdrawRefused() {
                                return false;
                            }
                        };
                    }
                },
                Invariant.NOTHING_FORGOTTEN);
    }

    @Test
    void notForcingTheLogBeforeAManifestThatRefersToIt() {
        assertFound(
                Durability.OS,
                () -> log(log -> new ForwardingLog(log) {
                    private long lastLsn = -1;

                    @Override
                    public long append(LogGroup group) throws AppendException {
                        lastLsn = super.append(group);
                        return lastLsn;
                    }

                    /** Waiting groups are written anyway; otherwise a close would wait for them for ever. */
                    @Override
                    public void force() throws IOException {
                        if (lastLsn >= writtenLsn()) {
                            super.force();
                        }
                    }
                }),
                Invariant.A_BEGINNING_OF_THE_LOG,
                Invariant.OPENS_AND_WORKS,
                Invariant.OFFSETS_CONTIGUOUS,
                Invariant.NO_ACKNOWLEDGED_ENTRY_LOST);
    }

    @Test
    void replayingFromTooLateAnLsn() {
        assertFound(
                () -> log(log -> new ForwardingLog(log) {
                    @Override
                    public void replay(long fromLsn, GroupVisitor visitor) throws IOException {
                        boolean[] skipped = new boolean[1];
                        super.replay(fromLsn, group -> {
                            if (skipped[0]) {
                                visitor.visit(group);
                            }
                            skipped[0] = true;
                        });
                    }
                }),
                Invariant.OPENS_AND_WORKS,
                Invariant.NO_ACKNOWLEDGED_ENTRY_LOST,
                Invariant.A_BEGINNING_OF_THE_LOG);
    }

    @Test
    void trimmingTheLogBeforeTheManifestIsDurable() {
        assertFound(
                () -> log(SavesManifestsAfterTheTrim::new),
                Invariant.OPENS_AND_WORKS,
                Invariant.NO_ACKNOWLEDGED_ENTRY_LOST,
                Invariant.A_BEGINNING_OF_THE_LOG);
    }

    private static final class SavesManifestsAfterTheTrim extends ForwardingLog {
        private byte @Nullable [] owed;

        SavesManifestsAfterTheTrim(CommitLog log) {
            super(log);
        }

        @Override
        public void saveSnapshot(String name, SnapshotWriter writer) throws IOException {
            if (!name.equals("manifest")) {
                super.saveSnapshot(name, writer);
                return;
            }
            saveOwed();
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            writer.writeTo(Channels.newChannel(bytes));
            owed = bytes.toByteArray();
        }

        private void saveOwed() throws IOException {
            byte[] manifest = owed;
            if (manifest != null) {
                owed = null;
                super.saveSnapshot("manifest", out -> out.write(ByteBuffer.wrap(manifest)));
            }
        }

        @Override
        public void trimBefore(long lsn) throws IOException {
            super.trimBefore(lsn);
            saveOwed();
        }

        @Override
        public void close() throws IOException {
            saveOwed();
            super.close();
        }
    }

    // ---- sweep and checkpoint ----

    @Test
    void releasingChainsBeforeTheirFileCanBeRead() {
        assertFound(ShowsFilesLate::new, Invariant.OFFSETS_CONTIGUOUS);
    }

    private static final class ShowsFilesLate implements Tampering {
        @Override
        public SweepTarget target(SweepTarget target) {
            return new SweepTarget() {
                private @Nullable BlockFileFooter hidden;

                @Override
                public BlockFileWriter begin(long cycle, int firstQueueId) throws IOException {
                    BlockFileFooter shown = hidden;
                    if (shown != null) {
                        hidden = null;
                        target.finished(shown);
                    }
                    return target.begin(cycle, firstQueueId);
                }

                @Override
                public void finished(BlockFileFooter footer) {
                    hidden = footer;
                }
            };
        }
    }

    @Test
    void takingACheckpointBeforeTheReleasesAreDone() {
        assertFound(
                ReleasesAfterTheCheckpoint::new,
                Invariant.OPENS_AND_WORKS,
                Invariant.A_BEGINNING_OF_THE_LOG,
                Invariant.NO_ACKNOWLEDGED_ENTRY_LOST);
    }

    private static final class ReleasesAfterTheCheckpoint implements Tampering {
        private final List<Runnable> held = new ArrayList<>();
        private ChainReleaser real = errand -> {};

        @Override
        public ChainReleaser releaser(LogWriter writer) {
            held.clear();
            real = writer::execute;
            return held::add;
        }

        @Override
        public CommitLog log(CommitLog log) {
            return new ForwardingLog(log) {
                @Override
                public void saveSnapshot(String name, SnapshotWriter writer) throws IOException {
                    super.saveSnapshot(name, writer);
                    if (name.equals("manifest")) {
                        held.forEach(real::execute);
                        held.clear();
                    }
                }
            };
        }
    }

    @Test
    void forgettingToReleaseAChain() {
        assertFound(
                LosesReleases::new,
                Invariant.OFFSETS_CONTIGUOUS,
                Invariant.A_BEGINNING_OF_THE_LOG,
                Invariant.NOTHING_FORGOTTEN,
                Invariant.PAGES_BALANCED,
                Invariant.OPENS_AND_WORKS,
                Invariant.NO_ACKNOWLEDGED_ENTRY_LOST);
    }

    private static final class LosesReleases implements Tampering {
        @Override
        public ChainReleaser releaser(LogWriter writer) {
            int[] count = new int[1];
            return errand -> {
                if (++count[0] % 5 != 0) {
                    writer.execute(errand);
                }
            };
        }
    }

    @Test
    void takingTheStateOfAViewWhileItMovesOn() {
        assertFound(TakesStatesLate::new, Invariant.A_BEGINNING_OF_THE_LOG, Invariant.VIEWS_EQUAL_AFTER_REPLAY);
    }

    private static final class TakesStatesLate implements Tampering {
        @Override
        public View view(View view) {
            return new View() {
                @Override
                public int id() {
                    return view.id();
                }

                @Override
                public void apply(long groupTimestamp, ByteBuffer bytes) {
                    view.apply(groupTimestamp, bytes);
                }

                @Override
                public Snapshot snapshot() {
                    return out -> view.snapshot().writeTo(out);
                }

                @Override
                public void load(ReadableByteChannel in) throws IOException {
                    view.load(in);
                }
            };
        }
    }

    // ---- merge and retention ----

    @Test
    void deletingWhatWasMergedBeforeTheManifestForgetsIt() {
        assertFound(
                ForgetsFilesAfterTheirDeletion::new,
                Invariant.OPENS_AND_WORKS,
                Invariant.NO_ACKNOWLEDGED_ENTRY_LOST,
                Invariant.A_BEGINNING_OF_THE_LOG);
    }

    /** A manifest with fewer files is saved only after the first of them has been deleted. */
    private static final class ForgetsFilesAfterTheirDeletion implements Tampering {
        private byte @Nullable [] owed;
        private int lastLength;
        private @Nullable CommitLog real;

        private void saveOwed() throws IOException {
            byte[] manifest = owed;
            CommitLog log = real;
            owed = null;
            if (manifest != null && log != null) {
                log.saveSnapshot("manifest", out -> out.write(ByteBuffer.wrap(manifest)));
            }
        }

        @Override
        public CommitLog log(CommitLog log) {
            real = log;
            owed = null;
            lastLength = 0;
            return new ForwardingLog(log) {
                @Override
                public void saveSnapshot(String name, SnapshotWriter writer) throws IOException {
                    if (!name.equals("manifest")) {
                        super.saveSnapshot(name, writer);
                        return;
                    }
                    saveOwed();
                    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                    writer.writeTo(Channels.newChannel(bytes));
                    owed = bytes.toByteArray();
                    boolean forgets = bytes.size() < lastLength;
                    lastLength = bytes.size();
                    if (!forgets) {
                        saveOwed();
                    }
                }
            };
        }

        @Override
        public Disk disk(Disk disk) {
            return new ForwardingDisk(disk) {
                @Override
                protected Disk below(Disk directory) {
                    return disk(directory);
                }

                @Override
                public void delete(String name) throws IOException {
                    super.delete(name);
                    if (name.endsWith(".blocks")) {
                        saveOwed();
                    }
                }
            };
        }
    }

    private static Tampering mergedQueues(UnaryOperator<QueueView> lie) {
        return new Tampering() {
            @Override
            public QueueView mergedQueues(QueueView queues) {
                return lie.apply(queues);
            }
        };
    }

    @Test
    void droppingABlockInAMergeThatIsStillWanted() {
        assertFound(
                () -> mergedQueues(queues -> id -> Math.max(5, queues.startOffset(id))), Invariant.OFFSETS_CONTIGUOUS);
    }

    @Test
    void forgettingInAMergeWhatWasTrimmed() {
        assertFound(
                () -> mergedQueues(queues -> id -> queues.startOffset(id) == QueueView.DELETED ? QueueView.DELETED : 0),
                Invariant.MERGES_DROP_THE_DEAD);
    }

    @Test
    void forgettingInAMergeWhatWasDeleted() {
        assertFound(
                () -> mergedQueues(
                        queues -> id -> queues.startOffset(id) == QueueView.DELETED ? 0 : queues.startOffset(id)),
                Invariant.MERGES_DROP_THE_DEAD,
                Invariant.A_BEGINNING_OF_THE_LOG,
                Invariant.OPENS_AND_WORKS);
    }

    @Test
    void trimmingWhatIsNotOldEnough() {
        assertFound(
                () -> new Tampering() {
                    @Override
                    public long clockErrorMillis() {
                        return 200_000;
                    }
                },
                Invariant.NOTHING_TRIMMED_EARLY);
    }
}
