/**
 * The APIs of logins, and of the users that log in with SCRAM. One handler for each API.
 *
 * <p>Enters: decoded requests, also of clients that have not logged in. Leaves: answers, now or later; changes of
 * users.
 *
 * <p>Thread: the event loop of the connection, or the read thread that has decoded a long request.
 */
@NullMarked
package io.rivulet.broker.api.login;

import org.jspecify.annotations.NullMarked;
