package io.rivulet.broker.group.base;

import io.rivulet.broker.config.GroupSettings;
import io.rivulet.broker.coordinator.CoordinatorClock;
import io.rivulet.broker.coordinator.HeapBudget;
import io.rivulet.broker.coordinator.Timers;
import java.util.function.Supplier;

/**
 * The environment of a group. Immutable; its parts are owned by the coordinator thread.
 *
 * @param randomIds generates unique parts of member ids
 */
public record GroupContext(
        GroupSettings settings, CoordinatorClock clock, Timers timers, HeapBudget heap, Supplier<String> randomIds) {}
