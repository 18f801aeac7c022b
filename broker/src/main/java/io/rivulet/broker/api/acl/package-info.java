/**
 * The APIs of access control lists. One handler for each API.
 *
 * <p>Enters: decoded requests. Leaves: answers, now or later.
 *
 * <p>Thread: the event loop of the connection, or the read thread that has decoded a long request.
 */
@NullMarked
package io.rivulet.broker.api.acl;

import org.jspecify.annotations.NullMarked;
