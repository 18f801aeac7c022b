/**
 * The APIs that describe the cluster and what it serves. One handler for each API.
 *
 * <p>Enters: decoded requests. Leaves: answers, now or later.
 *
 * <p>Thread: the event loop of the connection, or the read thread that has decoded a long request.
 */
@NullMarked
package io.rivulet.broker.api.cluster;

import org.jspecify.annotations.NullMarked;
