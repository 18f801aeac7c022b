package io.rivulet.store.block.merge;

import io.rivulet.store.block.format.BlockFileFooter;
import io.rivulet.store.block.format.BlockFileOrigin;
import io.rivulet.store.block.format.Supersession;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Decides which files to merge. As soon as {@code fanIn} complete generations of one level are side by side, they
 * become one of the next level, with blocks about {@code fanIn} times larger. This goes up to {@code maxLevel}, which
 * is 2 if files are merged once. A generation that already has large blocks is not merged, because that would gain
 * nothing.
 *
 * <p>A row has no gap: a merged file replaces all cycles from its first to its last. A generation between them that is
 * not merged would count as replaced, too. If a row ends at a break that will stay, what is before the break is merged
 * even if it is less than a whole row.
 *
 * <p>A merge that was interrupted by a crash is recognised by its outputs, and continues after them. A generation with
 * a damaged file ends the row, so one bad sector does not stop all merging.
 *
 * <p>Immutable.
 *
 * @param fanIn how many generations one merge reads
 * @param maxLevel of the files that merges write
 * @param maxDebt with more generations than this to be merged, the merge goes before all other work
 * @param largeBlockBytes blocks of this mean size or more are not worth merging
 */
public record MergePolicy(int fanIn, int maxLevel, int maxDebt, int largeBlockBytes) {
    public MergePolicy {
        if (fanIn < 2 || maxLevel < 2 || maxDebt < fanIn || largeBlockBytes < 1) {
            throw new IllegalArgumentException("merges of " + fanIn + " generations, must be 2 or more; up to level "
                    + maxLevel + ", must be 2 or more; debt of " + maxDebt + " generations, must be at least " + fanIn
                    + "; blocks large from " + largeBlockBytes + " bytes, must be 1 or more");
        }
    }

    /**
     * The next merge.
     *
     * @param all files of the store
     * @param completeBefore the first cycle to which the sweep may still add files
     * @param damaged numbers of files that a merge could not read
     */
    public Optional<MergePlan> plan(Collection<BlockFileFooter> all, long completeBefore, Set<Long> damaged) {
        List<BlockFileFooter> files = uncompacted(all);
        return resume(files, damaged)
                .or(() -> rows(files, completeBefore, damaged).stream()
                        .filter(row -> row.generations().size() >= fanIn
                                || (row.isClosed() && row.generations().size() > 1))
                        .map(row -> planOf(row.generations()
                                .subList(0, Math.min(fanIn, row.generations().size()))))
                        .findFirst());
    }

    /** Compacted files are not part of the generations: only the next compaction of their queues rewrites them. */
    private static List<BlockFileFooter> uncompacted(Collection<BlockFileFooter> all) {
        return all.stream().filter(file -> !file.isCompacted()).toList();
    }

    /** The rest of a merge that has some outputs already. */
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

    private List<Row> rows(Collection<BlockFileFooter> files, long completeBefore, Set<Long> damaged) {
        List<Row> rows = new ArrayList<>();
        Row row = new Row(new ArrayList<>(), false);
        for (Generation next : Generation.untouched(files)) {
            if (next.lastCycle() >= completeBefore) {
                break;
            }
            boolean mergeable = isWorthMerging(next, files, damaged);
            if (!mergeable || !row.takes(next)) {
                rows.add(row.endedBy(next, mergeable));
                row = new Row(new ArrayList<>(), false);
            }
            if (mergeable) {
                row.generations().add(next);
            }
        }
        rows.add(row);
        return rows;
    }

    private boolean isWorthMerging(Generation generation, Collection<BlockFileFooter> all, Set<Long> damaged) {
        return generation.level() < maxLevel
                && generation.meanBlockBytes() < largeBlockBytes
                && !generation.isUnfinished(all)
                && generation.files().stream().noneMatch(file -> damaged.contains(file.fileNumber()));
    }

    private static MergePlan planOf(List<Generation> inputs) {
        return new MergePlan(
                inputs.get(0).level() + 1,
                inputs.get(0).firstCycle(),
                inputs.get(inputs.size() - 1).lastCycle(),
                0,
                inputs.stream()
                        .flatMap(generation -> generation.files().stream())
                        .map(BlockFileFooter::fileNumber)
                        .collect(Collectors.toUnmodifiableSet()));
    }

    /**
     * The files that keep the log from being trimmed: the oldest generation, of any level, that refers to groups before
     * {@code lsn}. A merge of it that inlines references below that lsn allows the log to be trimmed.
     */
    public Optional<MergePlan> planInlining(Collection<BlockFileFooter> all, long completeBefore, long lsn) {
        List<BlockFileFooter> files = uncompacted(all);
        return Generation.untouched(files).stream()
                .filter(generation -> generation.pinsLogBefore(lsn) && generation.lastCycle() < completeBefore)
                .filter(generation -> !generation.isUnfinished(files))
                .findFirst()
                .map(generation -> planOf(List.of(generation)));
    }

    /** What is still to be merged. */
    public MergeDebt debt(Collection<BlockFileFooter> files, long completeBefore, Set<Long> damaged) {
        List<Generation> waiting = rows(uncompacted(files), completeBefore, damaged).stream()
                .filter(row -> !row.isClosed() || row.generations().size() > 1)
                .flatMap(row -> row.generations().stream())
                .toList();
        long bytes = waiting.stream().mapToLong(Generation::bytes).sum();
        return new MergeDebt(waiting.size(), bytes, waiting.size() > maxDebt);
    }

    /** Generations of one level side by side; {@code isClosed} if it can't grow. */
    private record Row(List<Generation> generations, boolean isClosed) {
        boolean takes(Generation next) {
            return generations.isEmpty() || generations.get(0).level() == next.level();
        }

        /**
         * Younger generations of a lower level will reach this one's level in time. Any other generation ends the row
         * for good.
         */
        Row endedBy(Generation next, boolean mergeable) {
            boolean waits = generations.isEmpty()
                    || (mergeable && next.level() < generations.get(0).level());
            return new Row(generations, !waits);
        }
    }

    /**
     * Generations that wait for their merge. Immutable.
     *
     * @param overdue whether there are more than {@code maxDebt}
     */
    public record MergeDebt(int generations, long bytes, boolean overdue) {}
}
