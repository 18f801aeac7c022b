/**
 * Logins: who the client of a connection is. One {@link io.rivulet.broker.sasl.Login} for each connection of a listener
 * with SASL. {@link io.rivulet.broker.sasl.ClientLogin} is the other side, for the tools.
 *
 * <p>Enters: tokens of clients, which are not trusted. Leaves: answers, and in the end a principal. The passwords of
 * users are in the configuration, or salted in the log of the broker.
 *
 * <p>Threads: the event loop of the connection. The log writer changes the users in the log.
 */
@NullMarked
package io.rivulet.broker.sasl;

import org.jspecify.annotations.NullMarked;
