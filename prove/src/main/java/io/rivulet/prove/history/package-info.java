/**
 * Histories of what Kafka's clients did and saw, in the manner of Jepsen's workload for queues, and their checker.
 *
 * <p>Enters: a target, a seed. Leaves: violations. {@link io.rivulet.prove.history.HistoryLoad} runs producers,
 * readers, groups and processors; they record each operation in a {@link io.rivulet.prove.history.History}.
 *
 * <p>Thread: each client has one of its own.
 */
@NullMarked
package io.rivulet.prove.history;

import org.jspecify.annotations.NullMarked;
