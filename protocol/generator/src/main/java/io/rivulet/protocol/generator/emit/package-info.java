/**
 * Schemas to Java. {@code MessageEmitter} lists the members of a class; {@code FieldCode} has what is said of one
 * field when it is read, sized and written, side by side; {@code CodecEmitter} and {@code TagEmitter} put
 * these into methods. What costs no speed there is not generated but stands in the wire package.
 */
@NullMarked
package io.rivulet.protocol.generator.emit;

import org.jspecify.annotations.NullMarked;
