package io.rivulet.broker.group;

import io.rivulet.broker.config.GroupSettings;
import java.util.function.Supplier;

/**
 * What a group has around it. Immutable; its parts belong to the thread that owns the groups.
 *
 * @param randomIds what makes member ids unique
 */
public record Surroundings(
        GroupSettings settings, GroupClock clock, Timers timers, HeapBudget heap, Supplier<String> randomIds) {}
