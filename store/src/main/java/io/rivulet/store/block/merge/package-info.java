/**
 * Merges block files: decides which, and joins small blocks of a queue into large ones.
 *
 * <p>Enters: the footers of all files, then the blocks of some of them. Leaves: fewer files with larger blocks.
 *
 * <p>Thread: background.
 */
@NullMarked
package io.rivulet.store.block.merge;

import org.jspecify.annotations.NullMarked;
