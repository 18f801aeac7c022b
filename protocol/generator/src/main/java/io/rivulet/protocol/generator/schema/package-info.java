/**
 * The schemas as immutable records. Enters: JSON with comments. Leaves: messages, in which each field's versions are
 * cut to those of its struct. A schema with an unknown part stops the build here.
 */
@NullMarked
package io.rivulet.protocol.generator.schema;

import org.jspecify.annotations.NullMarked;
