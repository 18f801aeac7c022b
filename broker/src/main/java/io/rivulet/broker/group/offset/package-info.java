/**
 * Committed offsets, at about 40 bytes each.
 *
 * <p>Enters: what entries of the log say of a group's offsets. Leaves: the same, by topic and partition.
 *
 * <p>Thread: the coordinator thread owns it.
 */
@NullMarked
package io.rivulet.broker.group.offset;

import org.jspecify.annotations.NullMarked;
