/**
 * Schemas to Java. {@code MessageEmitter} lists the members of a class; reading, sizing and writing have a
 * room each, and speak of a field in the same order, so that one can be held against the other.
 */
@NullMarked
package io.rivulet.protocol.generator.emit;

import org.jspecify.annotations.NullMarked;
