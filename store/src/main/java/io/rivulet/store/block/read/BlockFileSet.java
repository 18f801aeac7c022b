package io.rivulet.store.block.read;

import io.rivulet.store.block.format.BlockFileFooter;
import io.rivulet.store.block.format.Supersession;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Block files from oldest to newest. For each file, the queue ranges in which merged files have replaced it.
 *
 * <p>Age: within a queue, offsets grow with (last cycle, file number), because a cycle visits each queue once and file
 * numbers grow. A file replaces files of lower levels whose cycles are within its own, for the queues that it covers.
 * This follows from the footers alone, so a crash between two steps of a merge leads to the same set.
 *
 * <p>Immutable.
 */
final class BlockFileSet {
    static final BlockFileSet EMPTY = new BlockFileSet(List.of());

    private static final Comparator<BlockFile> BY_AGE = Comparator.<BlockFile>comparingLong(
                    file -> file.footer().lastCycle())
            .thenComparingLong(BlockFile::fileNumber);

    private final List<Member> oldestFirst;
    /** Each read asks for them. */
    private final List<BlockFile> files;

    private BlockFileSet(List<Member> oldestFirst) {
        this.oldestFirst = oldestFirst;
        this.files = oldestFirst.stream().map(Member::file).toList();
    }

    static BlockFileSet of(Collection<BlockFile> files) {
        List<BlockFileFooter> footers = files.stream().map(BlockFile::footer).toList();
        return new BlockFileSet(files.stream()
                .sorted(BY_AGE)
                .map(file -> new Member(file, Supersession.of(file.footer(), footers)))
                .toList());
    }

    List<BlockFile> files() {
        return files;
    }

    /** Files that are not needed any more, because other files hold all that is in them. */
    List<BlockFile> superseded() {
        return oldestFirst.stream()
                .filter(member -> member.supersession().isComplete())
                .map(Member::file)
                .toList();
    }

    /** The files that may hold records of the queue that are not older than the timestamp, oldest first. No I/O. */
    List<BlockFile> candidates(int queueId, long timestampDelta) {
        List<BlockFile> candidates = new ArrayList<>();
        for (Member member : oldestFirst) {
            BlockFile file = member.file();
            boolean youngEnough = file.footer().maxTimestampDelta() >= timestampDelta;
            if (youngEnough && file.mayHold(queueId) && !member.supersession().covers(queueId)) {
                candidates.add(file);
            }
        }
        return candidates;
    }

    /** Visits all blocks that are not replaced, file by file, oldest first. */
    void forEachBlock(BlockVisitor visitor) throws IOException {
        for (Member member : oldestFirst) {
            member.file().requireEachBlock(block -> {
                if (!member.supersession().covers(block.queueId())) {
                    visitor.block(member.file(), block);
                }
            });
        }
    }

    /** Visits the blocks of some queues, whose ids ascend, file by file, oldest first. */
    void forEachBlockOf(int[] queueIds, int from, int to, BlockVisitor visitor) throws IOException {
        for (Member member : oldestFirst) {
            member.file().forEachBlockOf(queueIds, from, to, block -> {
                if (!member.supersession().covers(block.queueId())) {
                    visitor.block(member.file(), block);
                }
            });
        }
    }

    /** Keeps all files open until {@link #releaseAll}. False if one is already closed: then there is a newer set. */
    boolean acquireAll() {
        for (int i = 0; i < oldestFirst.size(); i++) {
            if (!oldestFirst.get(i).file().acquire()) {
                release(i);
                return false;
            }
        }
        return true;
    }

    void releaseAll() {
        release(oldestFirst.size());
    }

    private void release(int count) {
        oldestFirst.subList(0, count).forEach(member -> member.file().release());
    }

    private record Member(BlockFile file, Supersession supersession) {}
}
