/**
 * Memory outside the heap: its limits and its owners.
 *
 * <p>Enters: a configured limit and named terms. Leaves: slabs of direct memory, never unmapped, cut into pages
 * (here) or chunks (by the tail). Without huge pages: the JVM uses none outside the heap, and with glibc's huge pages
 * filling a new tail takes half as long again, see bench/results/store-queues.md.
 *
 * <p>Thread: any.
 */
@NullMarked
package io.rivulet.store.memory;

import org.jspecify.annotations.NullMarked;
