/**
 * Sockets and Kafka's framing. {@link io.rivulet.broker.net.ConnectionInitializer} assembles the pipeline.
 *
 * <p>Enters: bytes from clients. Leaves: decoded requests to their handlers; responses as bytes, in the order of the
 * requests of each connection. A client's protocol error closes its connection, with one line in the log.
 *
 * <p>Threads: Netty's event loops; each connection belongs to one of them.
 */
@NullMarked
package io.rivulet.broker.net;

import org.jspecify.annotations.NullMarked;
