package io.rivulet.store.block.merge;

import io.rivulet.store.block.format.BlockFileFooter;
import io.rivulet.store.block.format.Supersession;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The files with the same level and cycles: the result of one cycle of the sweep, or of one merge.
 *
 * <p>Immutable.
 */
record Generation(int level, long firstCycle, long lastCycle, List<BlockFileFooter> files) {

    /** All generations of which nothing has been merged yet, oldest first. */
    static List<Generation> untouched(Collection<BlockFileFooter> files) {
        return files.stream()
                .filter(file -> files.stream().noneMatch(other -> Supersession.takesPlaceOf(other, file)))
                .collect(Collectors.groupingBy(
                        file -> new Generation(file.level(), file.firstCycle(), file.lastCycle(), List.of()),
                        () -> new TreeMap<>(
                                Comparator.comparingLong(Generation::firstCycle).thenComparingInt(Generation::level)),
                        Collectors.toList()))
                .entrySet()
                .stream()
                .map(group -> group.getKey().of(group.getValue()))
                .toList();
    }

    private Generation of(List<BlockFileFooter> members) {
        return new Generation(level, firstCycle, lastCycle, members);
    }

    /** Whether files that it replaces still exist: until they are removed, it is not complete. */
    boolean isUnfinished(Collection<BlockFileFooter> all) {
        return all.stream().anyMatch(file -> Supersession.takesPlaceOf(files.get(0), file));
    }

    long bytes() {
        return files.stream().mapToLong(BlockFileFooter::totalBytes).sum();
    }

    long meanBlockBytes() {
        long blocks = files.stream().mapToLong(BlockFileFooter::blockCount).sum();
        return blocks == 0 ? 0 : bytes() / blocks;
    }

    boolean pinsLogBefore(long lsn) {
        return files.stream().anyMatch(file -> file.lowestLsn() < lsn);
    }
}
