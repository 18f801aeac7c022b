package io.rivulet.store.block;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Decides which files to merge. As soon as {@code fanIn} complete generations of one level stand in a row, they become one
 * of the next level, with blocks about that many times larger; up to {@code maxLevel}, which is 2 if files are merged once.
 * A generation whose blocks are large already is left as it is, for rewriting it would gain nothing.
 *
 * <p>A row is unbroken: a merged file stands for all cycles from its first to its last, so a generation between them that
 * was not merged with them would be taken for superseded. What is left before a break that will not go away is merged
 * even if it is less than a whole row.
 *
 * <p>A merge that a crash has cut short is recognised by its outputs and goes on behind them. A generation with a damaged
 * file breaks the row, so one bad sector does not stop all merging.
 *
 * <p>Immutable.
 *
 * @param fanIn how many generations one merge takes
 * @param maxLevel of the files that come out of merges
 * @param maxDebt with more generations than this to be merged, the merge goes before everything else
 * @param largeBlockBytes the mean size from which blocks are not worth merging
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
     * What is to be merged next.
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

    /** What compaction has written stands beside the generations: it is rewritten by the next compaction of its queues alone. */
    private static List<BlockFileFooter> uncompacted(Collection<BlockFileFooter> all) {
        return all.stream().filter(file -> !file.isCompacted()).toList();
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
     * {@code lsn}. Merging it with that lsn as the one below which references are inlined sets the log free.
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

        /** Younger generations of a lower level will come up to this one's level in time; all else stays in the way. */
        Row endedBy(Generation next, boolean mergeable) {
            boolean waits = generations.isEmpty()
                    || (mergeable && next.level() < generations.get(0).level());
            return new Row(generations, !waits);
        }
    }

    /**
     * Generations that wait for their merge. Immutable.
     *
     * @param overdue whether there are more than the policy's bound
     */
    public record MergeDebt(int generations, long bytes, boolean overdue) {}
}
