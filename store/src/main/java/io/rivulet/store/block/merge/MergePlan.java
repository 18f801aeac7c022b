package io.rivulet.store.block.merge;

import java.util.Set;

/**
 * Which files one merge reads: all files of a level below {@code level} whose cycles are in the range.
 *
 * <p>Immutable.
 *
 * @param level of the output files
 * @param coverFrom the first queue id; files of an earlier attempt cover the queues below
 */
public record MergePlan(int level, long firstCycle, long lastCycle, int coverFrom, Set<Long> inputs) {}
