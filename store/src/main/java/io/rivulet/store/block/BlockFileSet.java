package io.rivulet.store.block;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Block files from oldest to newest, and for each the queue ranges in which merged files have taken its place.
 *
 * <p>Age: the offsets of a queue grow with (last cycle, file number), for a cycle visits each queue once and numbers grow.
 * A file of a higher level takes the place of those whose cycles are within its own, for the queues that it covers. That
 * follows from the footers alone, so after a crash between two steps of a merge the same set comes about again.
 *
 * <p>Immutable.
 */
final class BlockFileSet {
    static final BlockFileSet EMPTY = new BlockFileSet(List.of());

    private static final Comparator<BlockFile> BY_AGE = Comparator.<BlockFile>comparingLong(
                    file -> file.footer().lastCycle())
            .thenComparingLong(BlockFile::fileNumber);

    private final List<Member> oldestFirst;

    private BlockFileSet(List<Member> oldestFirst) {
        this.oldestFirst = oldestFirst;
    }

    static BlockFileSet of(Collection<BlockFile> files) {
        List<BlockFileFooter> footers = files.stream().map(BlockFile::footer).toList();
        return new BlockFileSet(files.stream()
                .sorted(BY_AGE)
                .map(file -> new Member(file, Supersession.of(file.footer(), footers)))
                .toList());
    }

    List<BlockFile> files() {
        return oldestFirst.stream().map(Member::file).toList();
    }

    /** Files that nobody needs any more, for others hold all that is in them. */
    List<BlockFile> superseded() {
        return oldestFirst.stream()
                .filter(member -> member.supersession().isComplete())
                .map(Member::file)
                .toList();
    }

    /** The files that may hold something of the queue that is not older than the timestamp, oldest first. Does no I/O. */
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

    /** Is told of a block, and the file that it is in. */
    interface BlockVisitor {
        void block(BlockFile file, BlockEntry block) throws IOException;
    }

    /** Shows all blocks in whose place no others are, file by file from the oldest on. */
    void forEachBlock(BlockVisitor visitor) throws IOException {
        for (Member member : oldestFirst) {
            member.file().requireEachBlock(block -> {
                if (!member.supersession().covers(block.queueId())) {
                    visitor.block(member.file(), block);
                }
            });
        }
    }

    /** Shows the blocks of some queues, whose ids ascend, file by file from the oldest on. */
    void forEachBlockOf(int[] queueIds, int from, int to, BlockVisitor visitor) throws IOException {
        for (Member member : oldestFirst) {
            member.file().forEachBlockOf(queueIds, from, to, block -> {
                if (!member.supersession().covers(block.queueId())) {
                    visitor.block(member.file(), block);
                }
            });
        }
    }

    /** Keeps all files open until {@link #releaseAll}; false when one is closed already, so that there is a newer set. */
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
