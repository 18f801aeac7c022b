/**
 * The engine on BookKeeper and ZooKeeper. Only this package uses their classes.
 *
 * <p>In and out: as {@link io.rivulet.cluster.engine}. Threads: those of the two clients answer.
 */
@NullMarked
package io.rivulet.cluster.bookkeeper;

import org.jspecify.annotations.NullMarked;
