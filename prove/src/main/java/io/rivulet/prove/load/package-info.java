/**
 * Loads of Kafka's own clients that survive restarts of the broker, and checkers of what they saw.
 *
 * <p>Enters: a target, a seed. Leaves: violations. {@link io.rivulet.prove.load.MixedLoad} runs all loads together.
 *
 * <p>Thread: each load has one of its own.
 */
@NullMarked
package io.rivulet.prove.load;

import org.jspecify.annotations.NullMarked;
