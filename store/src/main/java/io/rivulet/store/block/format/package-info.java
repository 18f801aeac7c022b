/**
 * The bytes of block files, and rules that follow from their footers alone.
 *
 * <p>Enters and leaves: fields and their bytes. Does no I/O. {@code BlockFileLayout} has the layout.
 *
 * <p>Thread: none of its own.
 */
@NullMarked
package io.rivulet.store.block.format;

import org.jspecify.annotations.NullMarked;
