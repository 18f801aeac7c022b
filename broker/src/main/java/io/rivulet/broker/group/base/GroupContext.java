package io.rivulet.broker.group.base;

import io.rivulet.broker.config.GroupSettings;
import io.rivulet.broker.coordinator.CoordinatorClock;
import io.rivulet.broker.coordinator.HeapBudget;
import io.rivulet.broker.coordinator.Timers;
import java.util.function.Supplier;

/**
 * What a group has around it. Immutable; its parts belong to the thread that owns the groups.
 *
 * @param randomIds what makes member ids unique
 */
public record GroupContext(
        GroupSettings settings, CoordinatorClock clock, Timers timers, HeapBudget heap, Supplier<String> randomIds) {}
