/**
 * The APIs of delegation tokens. There are no tokens, as in a Kafka without a key for them. One handler
 * for each API.
 *
 * <p>Enters: decoded requests. Leaves: answers, now or later.
 *
 * <p>Thread: the event loop of the connection, or the read thread that has decoded a long request.
 */
@NullMarked
package io.rivulet.broker.api.token;

import org.jspecify.annotations.NullMarked;
