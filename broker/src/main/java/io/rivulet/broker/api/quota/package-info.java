/**
 * The APIs of client quotas. One handler for each API.
 *
 * <p>Enters: calls. Leaves: their answers, and changes of rules, to the log. Threads: any.
 */
@NullMarked
package io.rivulet.broker.api.quota;

import org.jspecify.annotations.NullMarked;
