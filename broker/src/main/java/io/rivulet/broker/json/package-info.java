/**
 * Writes JSON by hand, for log lines and for the output of commands.
 *
 * <p>Enters: maps, lists, texts, numbers. Leaves: text.
 *
 * <p>Thread: any.
 */
@NullMarked
package io.rivulet.broker.json;

import org.jspecify.annotations.NullMarked;
