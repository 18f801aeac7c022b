/**
 * What handlers share. The families of APIs are rooms of their own below this one; each gives its routes to the {@link
 * io.rivulet.broker.call.RouteTable}. Produce and fetch have their whole path in {@code broker.produce} and {@code broker.fetch}.
 *
 * <p>Enters: a {@link io.rivulet.broker.call.Call} with a decoded request. Leaves: its answer, now or later.
 *
 * <p>All connections share a handler. It never blocks: what waits for a disk goes to the store or to a read thread.
 */
@NullMarked
package io.rivulet.broker.api;

import org.jspecify.annotations.NullMarked;
