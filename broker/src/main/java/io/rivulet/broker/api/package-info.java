/**
 * What the broker does for each API: one handler each, and the table of what is served.
 *
 * <p>Enters: a {@link io.rivulet.broker.call.Call} with a decoded request. Leaves: its answer, now or later.
 *
 * <p>Handlers run on the event loop of the connection, or on a read thread if the request is long. They are shared by all
 * connections and never block: what waits for a disk goes to the store or to a read thread, and answers from there.
 */
@NullMarked
package io.rivulet.broker.api;

import org.jspecify.annotations.NullMarked;
