/**
 * What every kind of group implements and gets. {@code group.classic} and {@code group.consumer} are two kinds.
 *
 * <p>To add a kind, make a package beside those two, with a {@link io.rivulet.broker.group.base.Group} and its {@link
 * io.rivulet.broker.group.base.GroupImage}; it may use this package, {@code coordinator} and {@code group.offset}. In
 * {@code group}, add an entry type to {@code GroupEntryLayout} and {@code GroupTable.applyImage}, and a class like
 * {@code ConsumerGroups} for its APIs.
 *
 * <p>Thread: the coordinator thread owns all groups.
 */
@NullMarked
package io.rivulet.broker.group.base;

import org.jspecify.annotations.NullMarked;
