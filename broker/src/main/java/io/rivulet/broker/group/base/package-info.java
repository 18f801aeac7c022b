/**
 * What every kind of group implements and gets. {@code group.classic} and {@code group.consumer} are two kinds.
 *
 * <p>To add a kind: make a package beside those two with a class that implements {@link io.rivulet.broker.group.base.Group} and writes
 * its changes to an {@link io.rivulet.broker.group.base.ImageStore}. In {@code group}, give its log entry a type in
 * {@code GroupEntryLayout}, apply it in {@code GroupTable}, repeat it in {@code GroupSnapshot}, and put the APIs of the kind in a class
 * like {@code ConsumerGroups}. A kind may use only this package, {@code coordinator} and {@code group.offset}.
 *
 * <p>Thread: the coordinator thread owns all groups.
 */
@NullMarked
package io.rivulet.broker.group.base;

import org.jspecify.annotations.NullMarked;
