/** A member of ZooKeeper and a bookie in one process, with our defaults: {@code bin/rivulet engine}. */
@NullMarked
package io.rivulet.engine;

import org.jspecify.annotations.NullMarked;
