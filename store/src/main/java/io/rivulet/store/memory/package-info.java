/**
 * Memory outside the heap: who may have how much of it, and who holds what.
 *
 * <p>Enters: a configured limit and named terms. Leaves: slabs of direct memory, never unmapped, cut into pages
 * (here) or chunks (by the tail). Not in huge pages: the JVM asks for none outside the heap, and where glibc is told to, filling
 * a fresh tail costs half as much again, see bench/results/store-queues.md.
 *
 * <p>Thread: any.
 */
@NullMarked
package io.rivulet.store.memory;

import org.jspecify.annotations.NullMarked;
