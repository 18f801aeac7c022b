/**
 * What every kind of group implements and gets. {@code group.classic}, {@code group.consumer}, {@code group.share} and
 * {@code group.streams} are kinds. {@code Items} and what uses them serve the consumer and the streams protocol.
 *
 * <p>To add a kind:
 *
 * <ol>
 *   <li>a package beside those, with a {@link io.rivulet.broker.group.base.Group} and its {@link
 *       io.rivulet.broker.group.base.GroupImage};
 *   <li>an entry type in {@code GroupEntryLayout}, with its case in {@code GroupTable.apply} and its image in {@code
 *       GroupTable.newImage};
 *   <li>in {@code group}, a class like {@code ConsumerGroups}, which {@code Groups} creates and starts: it serves the
 *       APIs of the kind, restores its groups, and stores their images with {@code GroupCoordinator.images};
 *   <li>a handler and a route for each API in {@code api.group};
 *   <li>the rule when a group of one kind may replace one of another: {@code GroupCoordinator.join}, {@code
 *       ConsumerGroups.groupToJoin}.
 * </ol>
 *
 * Snapshots, offsets, expiry, listing and deletion need only these interfaces.
 *
 * <p>Thread: the coordinator thread owns all groups.
 */
@NullMarked
package io.rivulet.broker.group.base;

import org.jspecify.annotations.NullMarked;
