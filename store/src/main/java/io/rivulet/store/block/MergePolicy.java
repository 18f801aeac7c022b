package io.rivulet.store.block;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Decides which files to merge. First-level files are merged once, as soon as {@code cyclesPerMerge} complete cycles have
 * come together: then each block that comes out is about that many times larger. Cycles whose blocks are large already
 * are left as they are, for rewriting them would gain nothing.
 *
 * <p>A merge that a crash has cut short is recognised by its outputs and goes on behind them. A cycle with a damaged file is
 * passed over, so one bad sector does not stop all merging.
 *
 * <p>Immutable.
 *
 * @param cyclesPerMerge how many cycles one merge takes
 * @param maxDebtCycles with more cycles than this to be merged, the merge goes before everything else
 * @param largeBlockBytes the mean size from which blocks are not worth merging
 */
public record MergePolicy(int cyclesPerMerge, int maxDebtCycles, int largeBlockBytes) {
    public MergePolicy {
        if (cyclesPerMerge < 2 || maxDebtCycles < cyclesPerMerge || largeBlockBytes < 1) {
            throw new IllegalArgumentException("merges of " + cyclesPerMerge + " cycles, must be 2 or more; debt of "
                    + maxDebtCycles + " cycles, must be at least as much; blocks large from " + largeBlockBytes
                    + " bytes, must be 1 or more");
        }
    }

    /**
     * What is to be merged next.
     *
     * @param files of the store
     * @param completeBefore the first cycle to which the sweep may still add files
     * @param damaged numbers of files that a merge could not read
     */
    public Optional<MergePlan> plan(Collection<BlockFileFooter> files, long completeBefore, Set<Long> damaged) {
        return resume(files, damaged).or(() -> begin(files, completeBefore, damaged));
    }

    /** The rest of a merge of which some outputs are there. */
    private static Optional<MergePlan> resume(Collection<BlockFileFooter> files, Set<Long> damaged) {
        return files.stream()
                .filter(file -> file.level() > BlockFileOrigin.SWEEP_LEVEL)
                .sorted(Comparator.comparingLong(BlockFileFooter::lastCycle))
                .map(merged -> rest(merged, files))
                .filter(plan ->
                        !plan.inputs().isEmpty() && plan.inputs().stream().noneMatch(damaged::contains))
                .findFirst();
    }

    private static MergePlan rest(BlockFileFooter merged, Collection<BlockFileFooter> files) {
        long coveredTo = files.stream()
                .filter(other -> other.level() == merged.level()
                        && other.firstCycle() == merged.firstCycle()
                        && other.lastCycle() == merged.lastCycle())
                .mapToLong(BlockFileFooter::coverTo)
                .max()
                .orElse(-1);
        Set<Long> inputs = files.stream()
                .filter(file -> Supersession.takesPlaceOf(merged, file) && file.maxQueueId() > coveredTo)
                .map(BlockFileFooter::fileNumber)
                .collect(Collectors.toUnmodifiableSet());
        int coverFrom = (int) Math.min(Integer.MAX_VALUE, coveredTo + 1);
        return new MergePlan(merged.level(), merged.firstCycle(), merged.lastCycle(), coverFrom, inputs);
    }

    private Optional<MergePlan> begin(Collection<BlockFileFooter> files, long completeBefore, Set<Long> damaged) {
        List<List<BlockFileFooter>> row = new ArrayList<>();
        for (List<BlockFileFooter> cycle : cyclesToMerge(files, completeBefore).values()) {
            boolean sound = cycle.stream().noneMatch(file -> damaged.contains(file.fileNumber()));
            if (!sound) {
                row.clear();
                continue;
            }
            row.add(cycle);
            if (row.size() == cyclesPerMerge) {
                return Optional.of(planOf(row.stream().flatMap(List::stream).toList()));
            }
        }
        return Optional.empty();
    }

    /** The whole range of queues. */
    private static MergePlan planOf(List<BlockFileFooter> inputs) {
        return new MergePlan(
                inputs.stream().mapToInt(BlockFileFooter::level).max().orElseThrow() + 1,
                inputs.stream().mapToLong(BlockFileFooter::firstCycle).min().orElseThrow(),
                inputs.stream().mapToLong(BlockFileFooter::lastCycle).max().orElseThrow(),
                0,
                inputs.stream().map(BlockFileFooter::fileNumber).collect(Collectors.toUnmodifiableSet()));
    }

    private SortedMap<Long, List<BlockFileFooter>> cyclesToMerge(
            Collection<BlockFileFooter> files, long completeBefore) {
        SortedMap<Long, List<BlockFileFooter>> cycles = files.stream()
                .filter(file -> file.level() == BlockFileOrigin.SWEEP_LEVEL && file.lastCycle() < completeBefore)
                .filter(file -> files.stream().noneMatch(other -> Supersession.takesPlaceOf(other, file)))
                .collect(Collectors.groupingBy(BlockFileFooter::firstCycle, TreeMap::new, Collectors.toList()));
        cycles.values().removeIf(this::hasLargeBlocks);
        return cycles;
    }

    private boolean hasLargeBlocks(List<BlockFileFooter> cycle) {
        long bytes = cycle.stream().mapToLong(BlockFileFooter::totalBytes).sum();
        long blocks = cycle.stream().mapToLong(BlockFileFooter::blockCount).sum();
        return blocks > 0 && bytes / blocks >= largeBlockBytes;
    }

    /**
     * The files that keep the log from being trimmed: the oldest generation, of any level, that refers to groups before
     * {@code lsn}. Merging it with that lsn as the one below which references are inlined sets the log free.
     */
    public Optional<MergePlan> planInlining(Collection<BlockFileFooter> files, long completeBefore, long lsn) {
        return files.stream()
                .filter(file -> file.lowestLsn() < lsn && file.lastCycle() < completeBefore)
                .filter(file -> files.stream().noneMatch(other -> Supersession.takesPlaceOf(other, file)))
                .min(Comparator.comparingLong(BlockFileFooter::lastCycle))
                .map(pinning -> planOf(files.stream()
                        .filter(file -> file.level() == pinning.level()
                                && file.firstCycle() == pinning.firstCycle()
                                && file.lastCycle() == pinning.lastCycle())
                        .toList()));
    }

    /** What is still to be merged. */
    public MergeDebt debt(Collection<BlockFileFooter> files, long completeBefore) {
        SortedMap<Long, List<BlockFileFooter>> cycles = cyclesToMerge(files, completeBefore);
        long bytes = cycles.values().stream()
                .flatMap(List::stream)
                .mapToLong(BlockFileFooter::totalBytes)
                .sum();
        return new MergeDebt(cycles.size(), bytes, cycles.size() > maxDebtCycles);
    }

    /**
     * First-level files that wait for their merge. Immutable.
     *
     * @param overdue whether there are more cycles than the policy's bound
     */
    public record MergeDebt(int cycles, long bytes, boolean overdue) {}
}
