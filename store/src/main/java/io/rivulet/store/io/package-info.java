/**
 * The one seam between the store and a disk.
 *
 * <p>In: names, {@link java.nio.ByteBuffer}s and addresses (a byte's place in a file; never called offset or position,
 * for those words are taken). Out: bytes, or an exception; {@link io.rivulet.store.io.ShortageException} is the only one
 * that a caller may get over.
 *
 * <p>No threads of its own. Tests put a faulty or a crashing disk in place of {@link io.rivulet.store.io.LocalDisk}.
 */
@NullMarked
package io.rivulet.store.io;

import org.jspecify.annotations.NullMarked;
