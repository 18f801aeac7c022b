/**
 * What handlers share. Each family of APIs is a room below this one and adds its routes to the {@link
 * io.rivulet.broker.call.RouteTable}. The whole paths of Produce and Fetch are in {@code broker.produce} and {@code
 * broker.fetch}.
 *
 * <p>Enters: a {@link io.rivulet.broker.call.Call} with a decoded request. Leaves: its answer, now or later.
 *
 * <p>All connections share a handler. A handler never blocks: work that waits for a disk is passed to the store or to a
 * read thread.
 */
@NullMarked
package io.rivulet.broker.api;

import org.jspecify.annotations.NullMarked;
