/**
 * What the broker does for each API: one handler each, and the table of what is served.
 *
 * <p>Enters: a decoded request. Leaves: its response. Runs on the event loop of the connection; a handler never blocks.
 */
@NullMarked
package io.rivulet.broker.api;

import org.jspecify.annotations.NullMarked;
