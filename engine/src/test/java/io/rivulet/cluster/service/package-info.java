/** Bugs of a broker's part in a shard. In its package, because they put it together in another way. */
@NullMarked
package io.rivulet.cluster.service;

import org.jspecify.annotations.NullMarked;
