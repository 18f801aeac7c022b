/**
 * The registry in ZooKeeper.
 *
 * <p>In and out: as {@link io.rivulet.cluster.registry}. Threads: the event thread of the client calls listeners.
 */
@NullMarked
package io.rivulet.cluster.zookeeper;

import org.jspecify.annotations.NullMarked;
