/**
 * Memory outside the heap: who may have how much of it, and who holds what.
 *
 * <p>Enters: a configured limit and named terms. Leaves: slabs of direct memory, never unmapped, cut into pages
 * (here) or chunks (by the tail). Transparent huge pages don't help: the JVM asks for none outside the heap, and the
 * usual {@code madvise} setting of Linux gives none unasked.
 *
 * <p>Thread: any.
 */
@NullMarked
package io.rivulet.store.memory;

import org.jspecify.annotations.NullMarked;
