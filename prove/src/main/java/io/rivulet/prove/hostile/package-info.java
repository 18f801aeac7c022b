/**
 * Hostile bytes: requests of every API and version with random content, and their bytes mutated, against a process with
 * little heap.
 *
 * <p>Enters: a seed. Leaves: violations. {@link io.rivulet.prove.hostile.RandomMessages} fills requests with what
 * earlier responses have said ({@link io.rivulet.prove.hostile.Words}), so that many reach the state behind the checks.
 *
 * <p>Thread: any; each seed has its own connection and words.
 */
@NullMarked
package io.rivulet.prove.hostile;

import org.jspecify.annotations.NullMarked;
