/**
 * The read cache: fixed off-heap pages with the bytes of files, reference counted.
 *
 * <p>In: a file, a range of bytes, and the class of the reader. Out: the bytes, pinned until they are closed exactly
 * once.
 *
 * <p>Threads: any thread takes what is cached. Only a thread that may wait for a disk loads; concurrent loads of one
 * page become one I/O. The cache has no thread of its own and never waits for a reader to finish.
 */
@NullMarked
package io.rivulet.store.cache;

import org.jspecify.annotations.NullMarked;
