/**
 * The one seam between the store and a disk.
 *
 * <p>In: names, {@link java.nio.ByteBuffer}s and addresses. An address is the place of a byte in a file; offset and
 * position have other meanings. Out: bytes, or an exception. A caller may recover from {@link
 * io.rivulet.store.io.ShortageException} only.
 *
 * <p>No threads of its own. Tests replace {@link io.rivulet.store.io.LocalDisk} by a faulty or crashing disk.
 */
@NullMarked
package io.rivulet.store.io;

import org.jspecify.annotations.NullMarked;
