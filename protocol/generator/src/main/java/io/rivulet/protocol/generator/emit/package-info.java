/**
 * Emits Java for schemas. {@code MessageEmitter} lists the members of a class, {@code FieldCode} has the statements
 * that read, size and write one field, and {@code CodecEmitter} and {@code TagEmitter} put these into methods. Code is
 * generated only where that makes it faster; all other code is in the wire package.
 */
@NullMarked
package io.rivulet.protocol.generator.emit;

import org.jspecify.annotations.NullMarked;
