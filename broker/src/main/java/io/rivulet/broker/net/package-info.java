/**
 * Sockets and the Kafka framing. The pipeline is assembled in {@link io.rivulet.broker.net.ConnectionInitializer}.
 *
 * <p>Enters: bytes of clients. Leaves: decoded requests to their handlers, and responses as bytes, in request order for each
 * connection. An error of the client closes its connection with one line in the log.
 *
 * <p>Runs on Netty's event loops; a connection belongs to one of them.
 */
@NullMarked
package io.rivulet.broker.net;

import org.jspecify.annotations.NullMarked;
