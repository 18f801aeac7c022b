/**
 * The schemas as immutable records. In: JSON with comments. Out: messages whose versions are concluded: each
 * field's are cut to those of the struct around it. A schema that uses what the emitter does not know stops
 * the build here.
 */
@NullMarked
package io.rivulet.protocol.generator.schema;

import org.jspecify.annotations.NullMarked;
