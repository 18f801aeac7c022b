package io.rivulet.store.block;

import java.util.Set;

/**
 * Which files one merge takes: all files of a level below {@code level} whose cycles lie in the range.
 *
 * <p>Immutable.
 *
 * @param level of the files that come out
 * @param coverFrom the first queue id; files of an earlier attempt answer for those below
 */
public record MergePlan(int level, long firstCycle, long lastCycle, int coverFrom, Set<Long> inputs) {}
