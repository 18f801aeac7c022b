/**
 * The APIs of consumer groups and their offsets. One handler for each API.
 *
 * <p>Enters: decoded requests. Leaves: answers, now or later.
 *
 * <p>Thread: the thread that owns the groups.
 */
@NullMarked
package io.rivulet.broker.api.group;

import org.jspecify.annotations.NullMarked;
