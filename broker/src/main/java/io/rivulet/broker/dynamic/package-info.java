/**
 * Configs that change while the broker runs: of brokers, groups and client metrics. Those of topics are in {@code
 * broker.topic}.
 *
 * <p>Enters: checked changes. Leaves: {@link io.rivulet.broker.dynamic.LiveConfig}, the values that are in effect now
 * and where each comes from.
 *
 * <p>Threads: the log writer changes the state, any thread reads it.
 */
@NullMarked
package io.rivulet.broker.dynamic;

import org.jspecify.annotations.NullMarked;
