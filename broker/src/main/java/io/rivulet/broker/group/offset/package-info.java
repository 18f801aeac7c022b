/**
 * The committed offsets of groups, at about 40 bytes each.
 *
 * <p>Enters: offsets from log entries. Leaves: offsets by topic and partition.
 *
 * <p>Thread: the coordinator thread owns it.
 */
@NullMarked
package io.rivulet.broker.group.offset;

import org.jspecify.annotations.NullMarked;
