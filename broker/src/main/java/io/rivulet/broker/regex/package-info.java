/**
 * Regular expressions that clients send.
 *
 * <p>Enters: the text. Leaves: a compiled pattern, or a refusal. Before RE2/J compiles it, a linear scan bounds the
 * cost of compiling and matching.
 *
 * <p>Thread: any. Compiling may take some milliseconds, so it is not for event loops or the coordinator thread.
 */
@NullMarked
package io.rivulet.broker.regex;

import org.jspecify.annotations.NullMarked;
