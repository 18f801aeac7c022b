/**
 * Regular expressions that clients send.
 *
 * <p>Enters: the text. Leaves: a compiled pattern, or why it is refused. A scan that is linear in the text bounds what
 * compiling and matching may cost before RE2/J sees it.
 *
 * <p>Thread: any. Compiling may take some milliseconds, so it is not for event loops or the coordinator thread.
 */
@NullMarked
package io.rivulet.broker.regex;

import org.jspecify.annotations.NullMarked;
