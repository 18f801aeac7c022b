/**
 * The engine on BookKeeper and ZooKeeper. Only this package uses BookKeeper's classes; {@link
 * io.rivulet.cluster.zookeeper} uses those of ZooKeeper, too.
 *
 * <p>In and out: as {@link io.rivulet.cluster.engine}. Threads: those of the two clients answer.
 */
@NullMarked
package io.rivulet.cluster.bookkeeper;

import org.jspecify.annotations.NullMarked;
